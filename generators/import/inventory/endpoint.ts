import { parseAddress } from '../../source/networks.ts';
import { joinParts, part, type ImportPart, type Piece, type Wishes } from '../part.ts';
import { entry, field, isTrue, textOf } from '../../source/foreign/look.ts';
import { wrongAt, type ForeignNode } from '../../source/foreign/node.ts';
import type { Members } from './groups.ts';
import type { InventoryMachines } from './machines.ts';
import { plainText, type VariablesOfHost } from './ssh.ts';
import { isControlPlane } from '../../cluster/roles.ts';

interface EndpointFacts {
  readonly variables: VariablesOfHost;
  readonly members: Members;
  readonly found: InventoryMachines;
  /** Whether the address is known from elsewhere. */
  readonly isTold: boolean;
  /** The DNS name that files of kubeadm say, or empty. */
  readonly name: string;
  readonly isKubespray: boolean;
}

/** Who stands before the API: kubespray's variables, usual names of others, and groups of load balancers. */
export function endpointPart(
  { variables, members, found, isTold, name, isKubespray }: EndpointFacts,
  wishes: Wishes,
): ImportPart {
  const controlPlanes = found.machines.filter(isControlPlane);
  const told = virtualOf(variables);
  const isLocal =
    isKubespray && wishes.kubernetes === '' && members.balancer.length === 0 && controlPlanes.length > 1;
  if (!told && !isTold && wishes.vip === '' && name !== '' && controlPlanes.length === 1)
    return ownPart(name, controlPlanes);
  if (!told && !isTold && wishes.vip === '')
    return isLocal ? localPart(controlPlanes, variables) : part({ problems: withoutAddress(controlPlanes) });
  return joinParts([
    told ? toldPart(told) : part({}),
    namedPart(variables, isKubespray && told?.isExternal === true && variables.has('loadbalancer_apiserver')),
    part({
      taken: takenBy(variables, told !== undefined),
      assumptions:
        isLocal && !told && !isTold
          ? ['until now each node balanced the API for itself: with --vip all of them ask that address']
          : [],
    }),
    placementPart(members, {
      controlPlanes: controlPlanes.length,
      isKubesprays: told?.isExternal ?? false,
      found,
    }),
  ]);
}

/** Nothing balances for one control plane: its name is that of the endpoint. */
const ownPart = (name: string, [first]: InventoryMachines['machines']): ImportPart =>
  part({
    pieces: [
      { path: ['controlPlaneEndpoint', 'address'], value: first?.address, place: first?.addressPlace },
    ],
    assumptions: [`${name} stands for ${first?.address ?? ''}: --vip says another address`],
  });

/** The name by which kubespray has nodes and clients ask a load balancer; without one it is in certificates alone. */
export function balancerName(variables: VariablesOfHost): ForeignNode | undefined {
  const node = variables.get('apiserver_loadbalancer_domain_name')?.value;
  const name = plainText(node);
  const address = plainText(field(variables.get('loadbalancer_apiserver')?.value, 'address'));
  return address === undefined || name === undefined || name === '' || parseAddress(name) ? undefined : node;
}

function namedPart(variables: VariablesOfHost, isKubespray: boolean): ImportPart {
  const node = balancerName(variables);
  const path = ['controlPlaneEndpoint', 'dnsName'];
  if (node) return part({ pieces: [{ path, value: textOf(node), place: node.place }] });
  const isUsual = isKubespray && !variables.has('apiserver_loadbalancer_domain_name');
  return part({ assumptions: isUsual ? [withoutName] : [] });
}

/** The name that its older versions give where nobody does; which version made a cluster no inventory says. */
const withoutName =
  'kubelets ask the API at its address; kubespray before v2.30 has them ask lb-apiserver.kubernetes.local where nothing names it: write that as `dnsName` then';

/** kubespray's own balancer on every node, where nothing else is said. */
function localPart([first]: InventoryMachines['machines'], variables: VariablesOfHost): ImportPart {
  const at = ['controlPlaneEndpoint'];
  return part({
    pieces: [
      { path: [...at, 'address'], value: first?.address, place: first?.addressPlace },
      {
        path: [...at, 'loadBalancer', 'placement'],
        value: 'local',
        note: "kubespray's balancer on every node; for other clients there is one control plane",
      },
    ],
    assumptions: ['each node balances the API for itself, by kubespray: --vip says an address for all'],
    taken: takenBy(variables, false),
  });
}

/** Whether nodes balance for themselves follows from whether there is a load balancer. */
function takenBy(variables: VariablesOfHost, isExternal: boolean): ImportPart['taken'] {
  const local = variables.get('loadbalancer_apiserver_localhost');
  const balancer = variables.get('loadbalancer_apiserver')?.value;
  const [address, port] = [entry(balancer, 'address'), entry(balancer, 'port')];
  return [
    ...(local && isTrue(local.value) !== isExternal ? [local.keyPlace] : []),
    ...(isExternal && address && plainText(address.value) !== undefined ? [address.keyPlace] : []),
    ...(isExternal && port && /^\d+$/.test(textOf(port.value) ?? '') ? [port.keyPlace] : []),
  ];
}

const withoutAddress = ([first, ...others]: InventoryMachines['machines']): ImportPart['problems'] =>
  first && others.length > 0
    ? [
        wrongAt(
          first.place,
          `${others.length + 1} control planes need one address for all of them, and nothing says it`,
          '--vip 192.0.2.80/24; or loadbalancer_apiserver in group_vars',
        ),
      ]
    : [];

function toldPart({ address, node, port, assumption }: Virtual): ImportPart {
  const pieces: Piece[] = [{ path: ['controlPlaneEndpoint', 'address'], value: address, place: node.place }];
  return part({
    pieces:
      port === undefined ? pieces : [...pieces, { path: ['controlPlaneEndpoint', 'port'], value: port }],
    assumptions: assumption === undefined ? [] : [assumption],
  });
}

interface Virtual {
  readonly address: string;
  readonly node: ForeignNode;
  readonly port?: number | undefined;
  readonly isExternal: boolean;
  readonly assumption?: string;
}

function virtualOf(variables: VariablesOfHost): Virtual | undefined {
  const balancer = variables.get('loadbalancer_apiserver')?.value;
  const address = field(balancer, 'address');
  const port = Number(plainText(field(balancer, 'port')) ?? NaN);
  const text = plainText(address);
  const vip = variables.get('kube_vip_address')?.value;
  if (address && text !== undefined)
    return {
      address: text,
      node: address,
      port: Number.isInteger(port) ? port : undefined,
      isExternal: true,
    };
  if (vip && isTrue(variables.get('kube_vip_enabled')?.value) && plainText(vip) !== undefined)
    return { address: plainText(vip) ?? '', node: vip, port: 6443, isExternal: true };
  return guessAddress(variables);
}

/** Others call it `vip`, `apiserver_vip`, `virtual_ip_address` and the like. */
function guessAddress(variables: VariablesOfHost): Virtual | undefined {
  const found = [...variables.values()].find(
    ({ key, value }) =>
      usual.test(key) && parseAddress((textOf(value) ?? '').split('/')[0] ?? '') !== undefined,
  );
  return found
    ? {
        address: textOf(found.value) ?? '',
        node: found.value,
        isExternal: false,
        assumption: `\`${found.key}\` is the virtual address of the control planes`,
      }
    : undefined;
}

const usual =
  /^(?:(?:kube_?|k8s_?|cluster_?|control_plane_?|api_?server_?|api_?|keepalived_?|haproxy_?)*)(?:vip|virtual_ip)(?:_?addr(?:ess)?)?$/i;

/** kubespray never makes the load balancer that it is told of; ours may be made where its hosts are known. */
function placementPart(
  { balancer, controlPlane }: Members,
  {
    controlPlanes,
    isKubesprays,
    found,
  }: { controlPlanes: number; isKubesprays: boolean; found: InventoryMachines },
): ImportPart {
  const path = ['controlPlaneEndpoint', 'loadBalancer', 'placement'];
  const own = balancer.filter((host) => !controlPlane.includes(host));
  if (balancer.length > 0 && own.length === balancer.length)
    return part({ pieces: [{ path, value: { hosts: own.map(found.nameOf) } }] });
  if (balancer.length > 0) return part({ pieces: [{ path, value: 'stacked' }] });
  if (!isKubesprays || controlPlanes === 0) return part({});
  return part({
    pieces: [
      { path, value: 'external', note: 'kubespray makes no load balancer; `stacked` has Playsmith make one' },
    ],
    assumptions: ['somebody else balances the API: `placement` says otherwise'],
  });
}
