import { joined, part, correctable, type ImportPart, type Wishes } from '../part.ts';
import { field, textAt } from '../../source/foreign/look.ts';
import { wrongAt, type ForeignNode, type ForeignScalar } from '../../source/foreign/node.ts';

/** The Ansible server that Tacker reaches, and what it knows of kubespray there. */
export function serverPart(parameters: ForeignNode, wishes: Wishes): ImportPart {
  const ansible = field(parameters, 'ansible');
  if (!ansible) return part({});
  return joined([reached(ansible, wishes), kubespray(ansible, wishes)]);
}

function reached(ansible: ForeignNode, wishes: Wishes): ImportPart {
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
  return joined([
    part(wishes.fix ? { pieces: [{ path: ['ansibleServer'], value: 'local', place }] } : {}),
    correctable(wrongAt(place, `${text} is the address of no machine`, right), wishes),
  ]);
}

const variable = 'ANSIBLE_SERVER_PASSWORD';

function kubespray(ansible: ForeignNode, wishes: Wishes): ImportPart {
  const root = field(ansible, 'kubespray_root_path');
  const inventory = textAt(ansible, 'transferring_inventory_path');
  const isInstaller = root?.kind === 'scalar' && root.text !== '' && wishes.kubernetes === '';
  return joined([
    isInstaller ? installer(root) : part({}),
    inventory === undefined ? part({}) : part({ kept: [inventoryOf(inventory)] }),
  ]);
}

const installer = ({ text, place }: ForeignScalar): ImportPart =>
  part({
    pieces: [
      { path: ['installer', 'kubespray', 'path'], value: text, place },
      { path: ['installer', 'kubespray', 'version'], value: driversOwn },
    ],
    assumptions: [
      `kubespray is ${driversOwn}, for which Tacker's driver is written; the request names no tag`,
    ],
  });

/** The tag that the driver is written for. */
const driversOwn = 'v2.16.0';

const inventoryOf = (path: string): ImportPart['kept'][number] => ({
  title: 'The inventory that kubespray was given until now; from now on it is the one of the bundle:',
  data: { 'x-inventory': path },
});
