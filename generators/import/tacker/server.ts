import { joined, part, correctable, type Part, type Wishes } from '../part.ts';
import { field, textAt } from '../source/look.ts';
import { wrongAt, type Node, type Scalar } from '../source/node.ts';

/** The Ansible server that Tacker reaches, and what it knows of kubespray there. */
export function serverPart(parameters: Node, wishes: Wishes): Part {
  const ansible = field(parameters, 'ansible');
  if (!ansible) return part({});
  return joined([reached(ansible, wishes), kubespray(ansible)]);
}

function reached(ansible: Node, wishes: Wishes): Part {
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

function nowhere({ text, place }: Scalar, wishes: Wishes): Part {
  const right = wishes.fix
    ? 'this machine (ansibleServer: local)'
    : '--ansible-server user@host; --fix takes this machine';
  return joined([
    part(wishes.fix ? { pieces: [{ path: ['ansibleServer'], value: 'local', place }] } : {}),
    correctable(wrongAt(place, `${text} is the address of no machine`, right), wishes),
  ]);
}

const variable = 'ANSIBLE_SERVER_PASSWORD';

function kubespray(ansible: Node): Part {
  const path = textAt(ansible, 'kubespray_root_path');
  const inventory = textAt(ansible, 'transferring_inventory_path');
  if (path === undefined && inventory === undefined) return part({});
  return part({
    kept: [
      {
        title: 'kubespray installed this cluster. It goes on with it once this stands in the definition:',
        data: {
          installer: {
            kubespray: {
              ...(path === undefined ? {} : { path }),
              // The one that the driver is written for.
              version: 'v2.16.0',
            },
          },
          ...(inventory === undefined ? {} : { 'x-inventory': inventory }),
        },
      },
    ],
  });
}
