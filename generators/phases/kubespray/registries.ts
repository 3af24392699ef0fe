import type { Cluster, Registry } from '../../cluster/cluster.ts';
import { expression, type Data } from '../../data-file.ts';
import { hasMirrorList, hasMirrorHeaders } from '../../catalog/kubespray/features.ts';
import { minorOf } from '../../catalog/kubespray/releases.ts';

type Variables = Readonly<Record<string, Data>>;

/** Mirrors and users of registries, as the container manager of the version takes them. */
export function registryVariables(cluster: Cluster): Variables {
  const { containerd, kubespray } = cluster;
  const mirrored = containerd.registries.filter(({ mirrors }) => mirrors.length > 0);
  const users = containerd.registries.filter(({ user }) => user !== '');
  const minor = minorOf(kubespray.version);
  switch (kubespray.containerManager) {
    case 'docker':
      return optional({ docker_registry_mirrors: mirrored.flatMap(({ mirrors }) => mirrors) });
    case 'crio':
      return optional({ crio_registries: mirrored.map(crio), crio_registry_auth: users.map(login) });
    default:
      return hasMirrorHeaders(minor)
        ? optional({ containerd_registries_mirrors: containerd.registries.map(withHeader) })
        : {
            ...(hasMirrorList(minor)
              ? optional({ containerd_registries_mirrors: mirrored.map(listed) })
              : optional({
                  containerd_registries: Object.fromEntries(
                    mirrored.map(({ host, mirrors }) => [host, [...mirrors, `https://${host}`]]),
                  ),
                })),
            ...optional({ containerd_registry_auth: users.map(login) }),
          };
  }
}

const optional = (variables: Variables): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => Object.keys(value).length > 0));

const mirror = (host: string): Readonly<Record<string, Data>> => ({
  host,
  capabilities: ['pull', 'resolve'],
  skip_verify: false,
});

const listed = ({ host, mirrors }: Registry): Data => ({ prefix: host, mirrors: mirrors.map(mirror) });

/** containerd 2 has no logins any more: the registry is its own last mirror, and is sent a header. */
function withHeader({ host, mirrors, user, passwordVariable }: Registry): Data {
  const own = { ...mirror(`https://${host}`), ...header(user, passwordVariable) };
  return { prefix: host, mirrors: [...mirrors.map(mirror), ...(user === '' ? [] : [own])] };
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

const login = ({ host, user, passwordVariable }: Registry): Data => ({
  registry: host,
  username: user,
  password: expression(`{{ ${passwordVariable} }}`),
});
