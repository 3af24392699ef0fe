import { criPlugin, knowsBinDirs, type CriPlugin } from '../../catalog/kubernetes/cri-settings.ts';
import { compareVersions } from '../../catalog/kubernetes/version.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Fill } from '../../engine.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { calledPackages } from './kubernetes-packages.ts';
import { artifactsView, isOffline } from '../offline.ts';
import { renderedFile, type Phase } from '../phase.ts';
import { credentialsFolder, isProxied, serviceEnvironment } from '../proxy-environment.ts';
import { loginsOf, registryHosts, type RegistryHosts } from './registry-hosts.ts';
import { settingsBelow } from '../settings.ts';

/** containerd, which runs the containers of every node. */
export const containerd: Phase = {
  name: 'containerd',
  what: 'Install and configure containerd on every node, with its registries, and offline with the images of the artifacts',
  hosts: 'k8s_cluster',
  tags: [
    { name: 'containerd', what: 'everything below' },
    { name: 'containerd_install', what: 'the programs, and offline the images' },
    { name: 'containerd_config', what: 'the configuration, the registries and the service' },
  ],
  applies: ({ kubernetes }) => kubernetes.installer === 'kubeadm',
  run: 'instantiate',
  parameters: [],
  told: (cluster) => (isOffline(cluster) ? 'containerd_operation' : undefined),
  render: (cluster, fill) => {
    const registries = registryHosts(cluster.containerd.registries);
    const files = [
      renderedFile(
        `${etc}/containerd/config.toml`,
        fill('containerd/config.toml.hbs', configurationView(cluster)),
      ),
      ...registries.flatMap((hosts) => registryFiles(hosts, fill)),
      ...unitFiles(cluster, fill),
      ...(isOffline(cluster)
        ? [renderedFile('files/containerd/import.sh', fill('containerd/import.sh.hbs', {}))]
        : []),
    ];
    const settings = settingsBelow(etc, files);
    // Each on a line where one line would be too long to read.
    const view = { ...playbookView(cluster, registries), settings, listed: settings.join().length > 100 };
    return [renderedFile('containerd.yml', fill('containerd/containerd.yml.hbs', view)), ...files];
  },
};

/** Copied to `/etc/` as a whole. */
const etc = 'files/containerd/etc';

function playbookView(
  cluster: Cluster,
  registries: readonly RegistryHosts[],
): Readonly<Record<string, unknown>> {
  const logins = registries.flatMap(loginsOf);
  const variables = [...new Set(logins.map(({ passwordVariable }) => passwordVariable))].sort();
  return {
    offline: isOffline(cluster),
    artifacts: artifactsView(cluster),
    archive: cluster.containerd.archive,
    isArchive: isArchive(cluster),
    alongside: calledPackages.join(', '),
    proxied: isProxied(cluster),
    units: unitPaths(cluster),
    folders: registries.map(({ folder }) => folder),
    logins: registries.filter((hosts) => loginsOf(hosts).length > 0),
    variables,
    users: variables.map((variable) => ({
      variable,
      user: logins.find(({ passwordVariable }) => passwordVariable === variable)?.user ?? '',
    })),
  };
}

const isArchive = ({ containerd: { source } }: Cluster): boolean => source === 'archive';

/** The distribution's package may be of any release: from 1.6 to 2.4 each reads, or converts, a file of version 2. */
function configurationView({ containerd: settings }: Cluster): Readonly<Record<string, unknown>> {
  const { version } = settings.archive;
  const cri = Object.entries(settings.cri).map(([name, value]) => ({ name, value }));
  const of = (plugin: CriPlugin): typeof cri => cri.filter(({ name }) => criPlugin(name, version) === plugin);
  return {
    isVersion3: compareVersions(version, '2.0') >= 0,
    knowsBinDirs: knowsBinDirs(version),
    pauseImage: settings.pauseImage,
    cri,
    images: of('images'),
    runtime: of('runtime'),
    server: of('server'),
    plugins: '/opt/cni/bin',
  };
}

function registryFiles(hosts: RegistryHosts, fill: Fill): readonly RenderedFile[] {
  const hasLogin = loginsOf(hosts).length > 0;
  // What holds a password is filled in by Ansible, and lies outside the folder that is copied as it is.
  const path = hasLogin
    ? `files/containerd/${hosts.folder}.toml.j2`
    : `${etc}/containerd/certs.d/${hosts.folder}/hosts.toml`;
  const view = {
    ...hosts,
    hosts: hosts.hosts.map((host) => ({ ...host, logins: host.login === null ? [] : [host.login] })),
  };
  const settings = renderedFile(path, fill('containerd/hosts.toml.hbs', view));
  const ca = renderedFile(
    `${etc}/containerd/certs.d/${hosts.folder}/ca.crt`,
    fill('containerd/ca.crt.hbs', { ca: hosts.ca.trimEnd() }),
  );
  return hosts.ca === '' ? [settings] : [settings, ca];
}

function unitFiles(cluster: Cluster, fill: Fill): readonly RenderedFile[] {
  const environment = Object.entries(serviceEnvironment(cluster)).map(([name, value]) => ({ name, value }));
  const view = {
    environment,
    credentials: cluster.proxy.credentials !== undefined,
    folder: credentialsFolder,
  };
  return unitPaths(cluster).map((path) => {
    const template = path === servicePath ? 'containerd.service.hbs' : 'proxy.conf.hbs';
    return renderedFile(`${etc}/systemd/system/${path}`, fill(`containerd/${template}`, view));
  });
}

const unitPaths = (cluster: Cluster): readonly string[] => [
  ...(isArchive(cluster) ? [servicePath] : []),
  ...(isProxied(cluster) ? ['containerd.service.d/playsmith-proxy.conf'] : []),
];

const servicePath = 'containerd.service';
