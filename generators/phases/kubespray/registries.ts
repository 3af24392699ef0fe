import type { Cluster, Registry } from '../../cluster/cluster.ts';
import { expression, type Data, type DataByName } from '../../data-file.ts';
import { serverOf } from '../node/registry-hosts.ts';
import { hasCrioRegistries, hasMirrorList, hasMirrorHeaders } from '../../catalog/kubespray/features.ts';
import { minorOf } from '../../catalog/kubespray/releases.ts';

/** Mirrors and users of registries, as the container manager of the version takes them. */
export function registryVariables(cluster: Cluster): DataByName {
  const { containerd, kubespray } = cluster;
  const mirrored = containerd.registries.filter(({ mirrors }) => mirrors.length > 0);
  const users = containerd.registries.filter(({ user }) => user !== '');
  const minor = minorOf(kubespray.version);
  switch (kubespray.containerManager) {
    case 'docker':
      return optional({ docker_registry_mirrors: mirrored.flatMap(({ mirrors }) => mirrors) });
    case 'crio':
      return optional({
        [hasCrioRegistries(minor) ? 'crio_registries' : 'crio_registries_mirrors']: mirrored.map(crio),
        crio_registry_auth: users.map((each) => login(each, each.host)),
      });
    default:
      return hasMirrorHeaders(minor)
        ? optional({ containerd_registries_mirrors: containerd.registries.map(withHeader) })
        : {
            ...(hasMirrorList(minor)
              ? optional({ containerd_registries_mirrors: mirrored.map(registryEntry) })
              : optional({
                  containerd_registries: Object.fromEntries(
                    mirrored.map(({ host, mirrors }) => [host, [...mirrors, serverOf(host)]]),
                  ),
                })),
            ...optional({
              containerd_registry_auth: users.map((each) => login(each, new URL(serverOf(each.host)).host)),
            }),
          };
  }
}

const optional = (variables: DataByName): DataByName =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => Object.keys(value).length > 0));

const mirror = (host: string): Readonly<Record<string, Data>> => ({
  host,
  capabilities: ['pull', 'resolve'],
  skip_verify: false,
});

/** kubespray would have containerd ask docker.io itself last, where no image is. */
const registryEntry = ({ host, mirrors }: Registry): Data => ({
  prefix: host,
  mirrors: [...mirrors, ...(isElsewhere(host) ? [serverOf(host)] : [])].map(mirror),
});

/** containerd 2 has no logins any more: the registry is its own last mirror, and is sent a header. */
function withHeader({ host, mirrors, user, passwordVariable }: Registry): Data {
  const own = { ...mirror(serverOf(host)), ...(user === '' ? {} : header(user, passwordVariable)) };
  return {
    prefix: host,
    mirrors: [...mirrors.map(mirror), ...(user === '' && !isElsewhere(host) ? [] : [own])],
  };
}

const header = (user: string, variable: string): Readonly<Record<string, Data>> => ({
  header: { Authorization: expression(`Basic {{ ('${user}:' ~ ${variable}) | b64encode }}`) },
});

const crio = ({ host, mirrors }: Registry): Data => ({
  prefix: host,
  location: host,
  insecure: false,
  blocked: false,
  mirrors: mirrors.map((each) => ({
    location: each.replace(/^https?:\/\//, ''),
    insecure: each.startsWith('http:'),
  })),
});

/** Whether a registry answers at another host than the one in the names of its images. */
const isElsewhere = (host: string): boolean => serverOf(host) !== `https://${host}`;

const login = ({ user, passwordVariable }: Registry, registry: string): Data => ({
  registry,
  username: user,
  password: expression(`{{ ${passwordVariable} }}`),
});
