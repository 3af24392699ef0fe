import { usualManager } from '../../catalog/kubespray/features.ts';
import { minorOf, releaseOf } from '../../catalog/kubespray/releases.ts';
import { joinParts, part, correctable, type ImportPart, type Wishes } from '../part.ts';
import { field, textAt } from '../../source/foreign/look.ts';
import { wrongAt, type ForeignNode, type ForeignScalar } from '../../source/foreign/node.ts';

/** The Ansible server that Tacker reaches, and what it knows of kubespray there; the driver makes one control plane, a `member` of etcd. */
export function serverPart(parameters: ForeignNode, member: string | undefined, wishes: Wishes): ImportPart {
  const ansible = field(parameters, 'ansible');
  if (!ansible) return part({});
  return joinParts([serverAddress(ansible, wishes), kubespray(ansible, member, wishes)]);
}

function serverAddress(ansible: ForeignNode, wishes: Wishes): ImportPart {
  const address = field(ansible, 'ip_address');
  if (address?.kind !== 'scalar' || address.text === '' || wishes.ansibleServer !== '') return part({});
  if (address.text === '0.0.0.0' || address.text.includes('/')) return nowhere(address, wishes);
  const user = textAt(ansible, 'username');
  const hasPassword = textAt(ansible, 'password') !== undefined;
  const value = {
    host: address.text,
    ...(user === undefined ? {} : { user }),
    ...(hasPassword ? { auth: { password: { env: variable } } } : {}),
  };
  return part({
    pieces: [{ path: ['ansibleServer'], value, place: address.place }],
    secrets: hasPassword ? [{ variable, what: 'the login password of the Ansible server' }] : [],
  });
}

function nowhere({ text, place }: ForeignScalar, wishes: Wishes): ImportPart {
  const right = wishes.fix
    ? 'this machine (ansibleServer: local)'
    : '--ansible-server user@host; --fix takes this machine';
  return joinParts([
    part(wishes.fix ? { pieces: [{ path: ['ansibleServer'], value: 'local', place }] } : {}),
    correctable(wrongAt(place, `${text} is the address of no machine`, right), wishes),
  ]);
}

const variable = 'ANSIBLE_SERVER_PASSWORD';

function kubespray(ansible: ForeignNode, member: string | undefined, wishes: Wishes): ImportPart {
  const root = field(ansible, 'kubespray_root_path');
  const inventory = textAt(ansible, 'transferring_inventory_path');
  const isInstaller = root?.kind === 'scalar' && root.text !== '' && wishes.kubernetes === '';
  return joinParts([
    isInstaller ? installer(root, member) : part({}),
    inventory === undefined ? part({}) : part({ kept: [inventoryOf(inventory)] }),
  ]);
}

function installer({ text, place }: ForeignScalar, member: string | undefined): ImportPart {
  const tag = /(?:^|\D)(2\.\d{2}\.\d+)(?:\D|$)/.exec(text)?.[1];
  const version = tag !== undefined && releaseOf(`v${tag}`) !== undefined ? `v${tag}` : driversOwn;
  const say = (key: string, value: unknown) => ({ path: ['installer', 'kubespray', key], value });
  const isDocker = usualManager(minorOf(version)) === 'docker';
  return part({
    pieces: [
      { ...say('path', text), place },
      say('version', version),
      ...(isDocker ? [say('containerManager', 'docker')] : []),
      ...(member === undefined ? [] : [say('etcdMembers', { [member]: 'etcd1' })]),
    ],
    assumptions: [
      version === driversOwn
        ? `kubespray is ${driversOwn}, for which Tacker's driver is written; the request names no tag`
        : `kubespray is ${version}, since its path says so`,
      ...(isDocker
        ? [
            `containers and etcd run in Docker, as kubespray's sample of ${version} has it, which the driver copies`,
          ]
        : []),
      ...(member === undefined
        ? []
        : [`the member of etcd on ${member} is called etcd1, as kubespray calls it`]),
    ],
  });
}

/** The tag that the driver is written for. */
const driversOwn = 'v2.16.0';

const inventoryOf = (path: string): ImportPart['kept'][number] => ({
  title: 'The inventory that kubespray was given until now; from now on it is the one of the bundle:',
  data: { 'x-inventory': path },
});
