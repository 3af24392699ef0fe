import { isAlike } from '../../../source/foreign/look.ts';
import { doubtAt, wrongAt, type MapEntry, type TextPlace } from '../../../source/foreign/node.ts';
import type { Problems } from '../../../source/problem.ts';
import { leavesOf, placeOf } from '../../leaves.ts';
import { someOf } from '../../machines.ts';
import type { Members } from '../groups.ts';
import type { ReadInventory } from '../read.ts';
import type { VariablesOfHost } from '../ssh.ts';

/** What speaks for the cluster: what all nodes concerned resolve to, or what is said for all of them. */
export interface AgreedVariables {
  readonly variables: VariablesOfHost;
  /** What is said for some of them alone, of keys that a definition has once. */
  readonly problems: Problems;
  /** Where the same is said as at places that are taken. */
  readonly alike: (taken: readonly TextPlace[]) => readonly TextPlace[];
}

export function agreedVariables(
  { inventory }: Pick<ReadInventory, 'inventory'>,
  members: Members,
  isKubespray: boolean,
): AgreedVariables {
  const concerned = (hosts: readonly string[]): ConcernedHosts => ({
    hosts: hosts.map((name) => ({ name, variables: inventory.variablesOf(name) })),
    base: inventory.variablesOfAll(hosts),
  });
  const nodes = concerned(nodesOf(inventory.hosts, members));
  const scopes = [
    { scope: concerned(members.balancer), isOf: isVirtualAddress },
    { scope: concerned(members.controlPlane), isOf: isOfControlPlanes },
    { scope: nodes, isOf: () => true },
  ].map((each) => ({ ...each, agreed: agreedIn(each.scope, each.isOf) }));
  const variables = new Map(scopes.flatMap(({ agreed }) => [...agreed]));
  return {
    variables,
    problems: [...keysIn(nodes)]
      .filter((key) => isOfCluster(key, isKubespray) && !isOfControlPlanes(key))
      .flatMap((key) => narrower(key, nodes, variables.get(key))),
    alike: (taken) => scopes.flatMap(({ scope, agreed }) => alikeIn(scope, agreed, new Set(taken))),
  };
}

interface ConcernedHosts {
  readonly hosts: readonly { readonly name: string; readonly variables: VariablesOfHost }[];
  /** What groups say that hold all of them. */
  readonly base: VariablesOfHost;
}

/** Members of etcd alone are no nodes of Kubernetes, and without groups every host is one. */
function nodesOf(
  hosts: ReadInventory['inventory']['hosts'],
  { controlPlane, worker, etcd, bastion, balancer }: Members,
): readonly string[] {
  const nodes = [...new Set([...controlPlane, ...worker])];
  if (nodes.length > 0 || etcd.length > 0) return nodes.length > 0 ? nodes : etcd;
  return hosts.map(({ name }) => name).filter((name) => ![...bastion, ...balancer].includes(name));
}

const keysIn = ({ hosts }: ConcernedHosts): ReadonlySet<string> =>
  new Set(hosts.flatMap(({ variables }) => [...variables.keys()]));

const agreedIn = (scope: ConcernedHosts, isOf: (key: string) => boolean): VariablesOfHost =>
  new Map(
    [...keysIn(scope)].filter(isOf).flatMap((key) => {
      const found = agreedOn(key, scope);
      return found === undefined ? [] : [[key, found] as const];
    }),
  );

function agreedOn(key: string, { hosts, base }: ConcernedHosts): MapEntry | undefined {
  const [first, ...others] = hosts.map(({ variables }) => variables.get(key));
  if (first && others.every((each) => isAlike(each, first))) return first;
  const shared = base.get(key);
  return shared && [first, ...others].some((each) => isAlike(each, shared)) ? shared : undefined;
}

/** Who has another value than the cluster. */
function narrower(key: string, { hosts }: ConcernedHosts, agreed: MapEntry | undefined): Problems {
  const others = hosts.flatMap(({ name, variables }) => {
    const found = variables.get(key);
    return found === undefined || (agreed && isAlike(found, agreed)) ? [] : [{ name, place: found.keyPlace }];
  });
  const [first] = others;
  if (!first) return [];
  const names = someOf(others.map(({ name }) => name));
  if (!agreed && others.length === hosts.length && isNeeded.test(key))
    return [
      wrongAt(
        first.place,
        `\`${key}\` is not the same for ${names}`,
        'one value for all nodes of the cluster',
      ),
    ];
  const wrong = `\`${key}\` of ${names} alone does not speak for the cluster, so it is not taken over`;
  return [doubtAt(first.place, wrong, 'one value for all nodes of the cluster')];
}

/** A definition has these, or their defaults. */
const isNeeded =
  /^(?:kube_(?:pods_subnet|service_addresses)(?:_ipv6)?|kube_network_plugin|kube_apiserver_port|container_manager|kube_version)$/;

const isOfCluster = (key: string, isKubespray: boolean): boolean =>
  /^(?:https?_proxy|no_proxy|additional_no_proxy)$/.test(key) ||
  (isKubespray &&
    (isNeeded.test(key) ||
      /^(?:loadbalancer_apiserver|apiserver_loadbalancer_domain_name|(?:containerd|crio)_registr(?:ies(?:_mirrors)?|y_auth)|docker_registry_mirrors)$/.test(
        key,
      )));

/** Others call it `vip`, `apiserver_vip`, `virtual_ip_address` and the like. */
export const isVirtualAddress = (key: string): boolean => usual.test(key);

const usual =
  /^(?:(?:kube_?|k8s_?|cluster_?|control_plane_?|api_?server_?|api_?|keepalived_?|haproxy_?)*)(?:vip|virtual_ip)(?:_?addr(?:ess)?)?$/i;

/** What only control planes do: workers need not be told. */
const isOfControlPlanes = (key: string): boolean =>
  isVirtualAddress(key) ||
  /^(?:auto_renew_certificates|supplementary_addresses_in_ssl_keys|kube_vip_)/.test(key);

/** The same values of other places, by their order in what is alike. */
const alikeIn = (
  { hosts }: ConcernedHosts,
  agreed: VariablesOfHost,
  taken: ReadonlySet<TextPlace>,
): readonly TextPlace[] =>
  [...agreed].flatMap(([key, entry]) => {
    const isTaken = leavesOf(entry).map(({ places }) => places.some((place) => taken.has(place)));
    if (!isTaken.includes(true)) return [];
    const others = new Set(hosts.flatMap(({ variables }) => variables.get(key) ?? []));
    return [...others]
      .filter((each) => each !== entry && isAlike(each, entry))
      .flatMap((each) => leavesOf(each).flatMap((leaf, index) => (isTaken[index] ? [placeOf(leaf)] : [])));
  });
