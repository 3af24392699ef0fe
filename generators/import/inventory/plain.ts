import { joinParts, part, type ImportPart, type Wishes } from '../part.ts';
import { field } from '../../source/foreign/look.ts';
import { doubtAt } from '../../source/foreign/node.ts';
import { credentialsFolder } from '../../phases/proxy-environment.ts';
import { noProxyPart, proxyPart } from '../values.ts';
import type { VariablesOfHost } from './ssh.ts';

/** The proxies of an inventory of anybody: by kubespray's names, or in a mapping for `environment:`. */
export function plainPart(variables: VariablesOfHost, wishes: Wishes): ImportPart {
  const told = (name: string) =>
    variables.get(name)?.value ??
    ['proxy_environment', 'proxy_env', 'environment_proxy']
      .map((key) => field(variables.get(key)?.value, name))
      .find(Boolean);
  const scalar = (name: string) => {
    const node = told(name);
    return node?.kind === 'scalar' && node.text !== '' && !node.text.includes('{{') ? node : undefined;
  };
  const http = scalar('http_proxy');
  const https = scalar('https_proxy');
  const none = scalar('no_proxy');
  const own = scalar('PYTHONPATH');
  const hidden = own?.text === credentialsFolder ? [own] : [];
  // What goes without a proxy says nothing where there is none.
  const names = ['http_proxy', 'https_proxy', ...((http ?? https) ? ['no_proxy'] : [])];
  const taken = [...variables.values()].flatMap(({ key, keyPlace }) =>
    names.includes(key) ? [keyPlace] : [],
  );
  return joinParts([
    part({ taken }),
    http ? proxyPart('http', http, wishes) : part({}),
    https ? proxyPart('https', https, wishes) : part({}),
    none && (http ?? https) ? noProxyPart(none) : part({}),
    part({ problems: hidden.map((node) => doubtAt(node.place, noUrls, '`proxy`, with `credentials`')) }),
  ]);
}

const noUrls = 'the proxy wants a password, so its URLs stand in no file that was imported, and are left out';
