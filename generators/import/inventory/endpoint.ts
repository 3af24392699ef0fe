import { parseAddress } from '../../source/networks.ts';
import { joinParts, part, type ImportPart, type Wishes } from '../part.ts';
import { entry, field, isTrue, textOf } from '../../source/foreign/look.ts';
import { wrongAt, type ForeignNode } from '../../source/foreign/node.ts';
import type { Problems } from '../../source/problem.ts';
import { isHeldByKubeVip, unreadable, virtualOf, type FoundAddress } from './cluster-wide/virtual-address.ts';
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
  const unread = told ? undefined : unreadable(variables);
  const isLocal =
    isKubespray && wishes.kubernetes === '' && members.balancer.length === 0 && controlPlanes.length > 1;
  if (!told && !isTold && wishes.vip === '') {
    if (unread) return part({ problems: [askAddress(unread)] });
    if (name !== '' && controlPlanes.length === 1) return ownPart(name, controlPlanes);
    return isLocal
      ? localPart(controlPlanes, variables)
      : part({
          problems: withoutAddress(controlPlanes),
          taken: takenBy(variables, { isTold: false, isExternal: false, vip: '' }),
        });
  }
  const isExternal = told?.isExternal === true || unread !== undefined;
  return joinParts([
    told && isSameAddress(told.address, wishes.vip) ? toldPart(told) : part({}),
    isExternal ? portPart(variables) : part({}),
    namedPart(variables, isKubespray && told?.isExternal === true && variables.has('loadbalancer_apiserver')),
    part({
      taken: takenBy(variables, {
        isTold: told !== undefined || unread !== undefined,
        isExternal,
        vip: wishes.vip,
      }),
      assumptions:
        isLocal && !told && !isTold && !unread && isBalancedAtHome(variables)
          ? ['each node balanced the API for itself until now; with --vip all use that address']
          : [],
    }),
    placementPart(members, {
      controlPlanes: controlPlanes.length,
      isKubesprays: isExternal,
      isKubeVip: isHeldByKubeVip(variables, told?.address),
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
    assumptions: [
      isBalancedAtHome(variables)
        ? 'each node balances the API for itself, as kubespray sets it up; --vip gives all one address'
        : `loadbalancer_apiserver_localhost is not taken over: where it says false, nodes ask ${first?.name ?? ''} alone until now; from the next run of kubespray on each balances the API for itself. --vip gives all one address`,
    ],
    taken: takenBy(variables, { isTold: false, isExternal: false, vip: '' }),
  });
}

/** As kubespray has it by itself where there is no load balancer; otherwise nodes ask the first control plane. */
function isBalancedAtHome(variables: VariablesOfHost): boolean {
  const local = variables.get('loadbalancer_apiserver_localhost');
  return local === undefined || isTrue(local.value);
}

/** Whether nodes balance for themselves follows from whether there is a load balancer. */
function takenBy(
  variables: VariablesOfHost,
  {
    isTold,
    isExternal,
    vip,
  }: { readonly isTold: boolean; readonly isExternal: boolean; readonly vip: string },
): ImportPart['taken'] {
  const local = variables.get('loadbalancer_apiserver_localhost');
  const balancer = variables.get('loadbalancer_apiserver')?.value;
  const [address, port] = [entry(balancer, 'address'), entry(balancer, 'port')];
  return [
    ...(local && (isTold ? !isTrue(local.value) : vip !== '' || isTrue(local.value)) ? [local.keyPlace] : []),
    ...(isExternal && address && isSameAddress(plainText(address.value), vip) ? [address.keyPlace] : []),
    ...(isExternal && port && /^\d+$/.test(textOf(port.value) ?? '') ? [port.keyPlace] : []),
  ];
}

/** What is said beside another `--vip` counts for nothing, and is listed. */
const isSameAddress = (said: string | undefined, vip: string): boolean =>
  said !== undefined &&
  (vip === '' || parseAddress(said)?.address === parseAddress(vip.split('/')[0] ?? '')?.address);

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

const toldPart = ({ address, node, assumption }: FoundAddress): ImportPart =>
  part({
    pieces: [{ path: ['controlPlaneEndpoint', 'address'], value: address, place: node.place }],
    assumptions: assumption === undefined ? [] : [assumption],
  });

/** The port of the load balancer, else that of the API servers behind it, as kubespray has it. */
function portPart(variables: VariablesOfHost): ImportPart {
  const own = field(variables.get('loadbalancer_apiserver')?.value, 'port');
  const node = own ?? variables.get('kube_apiserver_port')?.value;
  const port = Number(plainText(node) ?? NaN);
  const path = ['controlPlaneEndpoint', 'port'];
  if (Number.isInteger(port)) return part({ pieces: [{ path, value: port, place: node?.place }] });
  if (own) return part({ problems: [wrongAt(own.place, 'nothing here says which port this is', '8443')] });
  return part({ pieces: [{ path, value: 6443 }] });
}

const askAddress = ({ place }: ForeignNode): Problems[number] =>
  wrongAt(
    place,
    'nothing here says which address the load balancer of the API has',
    '--vip 192.0.2.80/24, or the address itself',
  );

/** kubespray never makes the load balancer that it is told of; ours may be made where its hosts are known. */
function placementPart(
  { balancer, controlPlane }: Members,
  {
    controlPlanes,
    isKubesprays,
    isKubeVip,
    found,
  }: { controlPlanes: number; isKubesprays: boolean; isKubeVip: boolean; found: InventoryMachines },
): ImportPart {
  const path = ['controlPlaneEndpoint', 'loadBalancer', 'placement'];
  const own = balancer.filter((host) => !controlPlane.includes(host));
  if (balancer.length > 0 && own.length === balancer.length)
    return part({ pieces: [{ path, value: { hosts: own.map(found.nameOf) } }] });
  if (balancer.length > 0) return part({ pieces: [{ path, value: 'stacked' }] });
  if (!isKubesprays || controlPlanes === 0) return part({});
  // Two that hold one address would take it from each other.
  if (isKubeVip)
    return part({
      pieces: [{ path, value: 'external', note: 'kube-vip holds the address, as kubespray sets it up' }],
    });
  return part({
    pieces: [
      { path, value: 'external', note: 'kubespray makes no load balancer; `stacked` has Playsmith make one' },
    ],
    assumptions: ['something else balances the API; set `placement` if Playsmith should'],
  });
}
