import type { OsaOffline } from '../../cluster.ts';
import { osaDefaults } from '../../definition/osa/defaults.ts';

/** What a definition says about mirrors. */
interface Written {
  readonly registry: string;
  readonly files: string;
  readonly git: string;
  readonly directory?: string | undefined;
  readonly cargo?: string | undefined;
}

/** Hosts on the internet from which images, files and sources of all this come. */
export const publishers: readonly string[] = [
  ...[
    'github.com',
    'opendev.org',
    'ghcr.io',
    'quay.io',
    'docker.io',
    'registry.k8s.io',
    'gcr.io',
    'k8s.gcr.io',
  ],
  ...['dl.k8s.io', 'storage.googleapis.com', 'get.helm.sh', 'charts.jetstack.io', 'helm.cilium.io'],
  ...['pypi.org', 'files.pythonhosted.org', 'download.docker.com', 'baltocdn.com', 'apt.kubernetes.io'],
  ...['crates.io', 'index.crates.io', 'static.crates.io'],
];

/** A publisher in a text, as it stands there as the host of a URL or of an image; empty: none. */
export const publisherIn = (text: string): string =>
  publishers.find((host) =>
    new RegExp(`(?:^|://|[^\\w./-])${host.replaceAll('.', '\\.')}(?:[/:]|$)`, 'm').test(text),
  ) ?? '';

/** A repository of a publisher, as `<owner>/<name>` below the mirror; what stands behind `#` stays. Empty: no mirror. */
export const mirroredGit = (source: string, git: string): string =>
  git === ''
    ? source
    : source.replace(/^https:\/\/(?:github\.com|opendev\.org)(?=\/)/, git.replace(/\/$/, ''));

/** Fills the defaults; `sources` are the git repositories that the definition needs. */
export const offlineOf = (written: Written | undefined, sources: readonly string[]): OsaOffline => ({
  registry: written?.registry ?? '',
  files: written?.files.replace(/\/$/, '') ?? '',
  cargo: written?.cargo?.replace(/\/$/, '') ?? '',
  directory: written === undefined ? '' : (written.directory ?? osaDefaults.mirrorDirectory),
  repositories:
    written === undefined
      ? []
      : [...new Set(sources.map((source) => source.replace(/#.*/, '')))]
          .sort()
          .map((source) => ({ source, target: mirroredGit(source, written.git) })),
});
