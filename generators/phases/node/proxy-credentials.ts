import type { Cluster } from '../../cluster/cluster.ts';
import type { View } from '../../engine.ts';
import { renderedFile, type Phase } from '../phase.ts';
import { aptDirect, credentialsFolder } from '../proxy-environment.ts';

/** A proxy that wants a password, told to every host before it fetches anything. */
export const proxyCredentials: Phase = {
  name: 'proxy-credentials',
  what: 'Write the proxy with its user and password on every host, readable by root alone',
  hosts: 'all',
  tags: [{ name: 'proxy-credentials', what: 'everything' }],
  applies: ({ proxy, kubernetes }) => proxy.credentials !== undefined && kubernetes.installer !== 'kubespray',
  run: 'instantiate',
  parameters: [],
  render: (cluster, fill) => {
    const view = viewOf(cluster);
    const file = (name: string): string => fill(`proxy-credentials/${name}.hbs`, view);
    return [
      renderedFile('proxy-credentials.yml', file('proxy-credentials.yml')),
      renderedFile('files/proxy-credentials/sitecustomize.py', file('sitecustomize.py')),
      renderedFile('files/proxy-credentials/environment.j2', file('environment')),
      renderedFile('files/proxy-credentials/apt.conf.j2', file('apt.conf')),
    ];
  },
};

function viewOf(cluster: Cluster): View {
  const { http, https, credentials } = cluster.proxy;
  const { userVariable: user = '', passwordVariable: password = '' } = credentials ?? {};
  const proxies = [
    { scheme: 'http', url: http },
    { scheme: 'https', url: https },
  ].filter(({ url }) => url !== '');
  return {
    folder: credentialsFolder.slice(1),
    user,
    password,
    variables: [user, password],
    problem: `${user} and ${password} must be given, of printable ASCII characters`,
    proxies: proxies.map(({ scheme, url }) => ({ scheme, ...partsOf(url), direct: aptDirect(cluster) })),
  };
}

/** Between them stand user and password. */
function partsOf(url: string): { readonly before: string; readonly after: string } {
  const at = url.indexOf('://') + '://'.length;
  return { before: url.slice(0, at), after: `@${url.slice(at)}` };
}
