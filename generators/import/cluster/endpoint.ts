import { parseAddress } from '../../source/networks.ts';
import { fieldAt, textAt } from '../../source/foreign/look.ts';
import { wrongAt, type ForeignNode } from '../../source/foreign/node.ts';
import { part, type ImportPart, type Wishes } from '../part.ts';
import { addressesOf, isControlPlane } from './machines.ts';
import { nameOf, type Objects } from './objects.ts';

/** `controlPlaneEndpoint` of kubeadm: an address or a name, and a port or none; an empty host where nothing is said. */
export function endpointOf(kubeadm: ForeignNode): { readonly host: string; readonly port: number } {
  const said = textAt(kubeadm, 'controlPlaneEndpoint') ?? '';
  if (parseAddress(said)) return { host: said, port: 6443 };
  const [, host = '', port = '6443'] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(said) ?? [];
  return { host, port: Number(port) };
}

/** The address or the name that kubeconfigs and kubelets of the cluster have. Who balances there is not in the API. */
export function endpointPart(
  { nodes, pods, kubeadm }: Objects,
  apiServerPort: number,
  wishes: Wishes,
): ImportPart {
  const node = fieldAt(kubeadm, 'controlPlaneEndpoint');
  const { host, port } = endpointOf(kubeadm);
  const controlPlanes = nodes.filter(isControlPlane);
  if (host === '') return withoutEndpoint(controlPlanes, wishes);
  const isOwn = controlPlanes.length === 1 && controlPlanes.some((each) => addressesOf(each).includes(host));
  if (isOwn && port === apiServerPort) return part({});
  const isAddress = parseAddress(host) !== undefined;
  if (!isAddress && wishes.vip === '')
    return part({
      problems: [
        wrongAt(
          node?.place ?? kubeadm.place,
          `clients reach the API by the name ${host}; a definition wants the address that it stands for`,
          '--vip 192.0.2.80/24',
        ),
      ],
    });
  const isOwnName = !isAddress && isOwnAddress(controlPlanes, wishes.vip);
  const kubeVip = pods.some((pod) => nameOf(pod).startsWith('kube-vip'));
  return part({
    pieces: [
      { path: [...at, isAddress ? 'address' : 'dnsName'], value: host, place: node?.place },
      { path: [...at, 'port'], value: port, place: node?.place },
      ...(isOwnName ? [] : [{ path: [...at, 'loadBalancer', 'placement'], value: 'external' }]),
    ],
    assumptions: isOwnName ? [] : [balancedBy(host, kubeVip)],
  });
}

const at = ['controlPlaneEndpoint'];

const balancedBy = (host: string, kubeVip: boolean): string =>
  kubeVip
    ? `kube-vip holds ${host}, and goes on to do so`
    : `something else balances the API at ${host}: write \`stacked\` or \`hosts\` where HAProxy and keepalived shall do it, or do already`;

/** Whether the one control plane itself has the address that the name stands for. */
const isOwnAddress = ([only, ...others]: readonly ForeignNode[], vip: string): boolean =>
  only !== undefined && others.length === 0 && addressesOf(only).includes(vip.split('/')[0] ?? '');

const withoutEndpoint = (controlPlanes: readonly ForeignNode[], { vip }: Wishes): ImportPart =>
  controlPlanes.length < 2 || vip !== ''
    ? part({})
    : part({
        problems: controlPlanes
          .slice(0, 1)
          .map(({ place }) =>
            wrongAt(
              place,
              `the cluster has ${controlPlanes.length} control planes and no endpoint for all of them (controlPlaneEndpoint of kubeadm)`,
              '--vip 192.0.2.80/24',
            ),
          ),
      });
