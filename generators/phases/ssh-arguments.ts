import type { MachineSsh } from '../cluster.ts';
import { refuseJinja } from '../engine.ts';

/** Host keys are those of the bundle, or of the user who runs Ansible; an unknown or changed one is refused. */
const known = '"{{ inventory_dir }}/../known_hosts" ~/.ssh/known_hosts';

export const verifiedSsh = `-o 'UserKnownHostsFile=${known}' -o StrictHostKeyChecking=yes`;

/** The same, through a jump host that is verified in the same way: `ProxyJump` would not pass our files on. */
export function verifiedSshThrough({ proxyJump, privateKey }: MachineSsh): string {
  const { user, host, port } = jump(proxyJump);
  const identity = privateKey === '' ? '' : `-o 'IdentityFile="${unquotable(privateKey)}"' `;
  const login = user === '' ? '' : `-l ${user} `;
  const proxy = `ssh ${verifiedSsh} -o BatchMode=yes ${identity}${login}-p ${port} -W [%h]:%p ${host}`;
  return `${verifiedSsh} -o "ProxyCommand=${proxy.replaceAll('"', '\\"')}"`;
}

/** Two shells and ssh read this text between quotes. */
function unquotable(path: string): string {
  refuseJinja(path);
  if (/["'\\$`%\p{Cc}]/u.test(path))
    throw new TypeError(`${JSON.stringify(path)} cannot stand in a command of ssh`);
  return path;
}

function jump(text: string): { readonly user: string; readonly host: string; readonly port: string } {
  const found =
    /^(?:(?<user>\w[\w.-]*)@)?(?:\[(?<literal>[\da-fA-F:.]+)\]|(?<host>\w[\w.-]*))(?::(?<port>\d+))?$/.exec(
      text,
    );
  if (found?.groups === undefined) throw new TypeError(`${JSON.stringify(text)} is no jump host`);
  const { user = '', literal, host, port = '22' } = found.groups;
  return { user, host: literal ?? host ?? '', port };
}
