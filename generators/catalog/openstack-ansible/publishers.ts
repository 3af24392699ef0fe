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
  ...['crates.io', 'index.crates.io', 'static.crates.io', 'releases.openstack.org'],
  ...['deb.debian.org', 'archive.ubuntu.com'],
];

/** A publisher in a text, as it stands there as the host of a URL or of an image; empty: none. */
export const publisherIn = (text: string): string =>
  publishers.find((host) =>
    new RegExp(`(?:^|://|[^\\w./-])${host.replaceAll('.', '\\.')}(?:[/:]|$)`, 'm').test(text),
  ) ?? '';
