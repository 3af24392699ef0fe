import { networkPlugins } from '../../catalog/kubespray/features.ts';
import { parseAddress } from '../../source/networks.ts';
import { isTrue, itemsOf, textOf } from '../../source/foreign/look.ts';
import type { ForeignNode, TextPlace } from '../../source/foreign/node.ts';
import { jumpIn } from '../jump-host.ts';
import type { FoundMachine } from '../machines.ts';
import { areLabels, taintOf } from './marks.ts';
import { familiesOf, type Families } from './address.ts';
import { argumentNames, plainText, type VariablesOfHost } from './ssh.ts';

/** The first of some names that a host has: the others say nothing then. */
const firsts = [
  ['ansible_port', 'ansible_ssh_port'],
  ['ansible_user', 'ansible_ssh_user', 'ansible_remote_user'],
  ['ansible_password', 'ansible_ssh_pass', 'ansible_ssh_password'],
  ['ansible_become_password', 'ansible_become_pass', 'ansible_sudo_pass', 'ansible_sudo_password'],
] as const;

/** A password that is computed is asked for all the same. */
const isSecret = (name: string): boolean => name.includes('pass');

const ipv6Names = ['ip6', 'access_ip6'] as const;

/** What our playbooks do anyway. */
const usual: Readonly<Record<string, RegExp>> = {
  ansible_become: /^(?:true|yes|1)$/i,
  ansible_become_method: /^sudo$/,
  ansible_become_user: /^root$/,
  ansible_connection: /^(?:ssh|smart|paramiko|paramiko_ssh)$/,
};

/** The variables that a machine of the definition follows from. */
export function takenByMachine(
  variables: VariablesOfHost,
  { address, ssh, more, notes }: FoundMachine,
  isMember: boolean,
): readonly TextPlace[] {
  const at = (name: string, is: (node: ForeignNode) => boolean): readonly TextPlace[] => {
    const found = variables.get(name);
    return found && is(found.value) ? [found.keyPlace] : [];
  };
  const isAddress = (wanted: unknown) => (node: ForeignNode) =>
    typeof wanted === 'string' &&
    parseAddress(plainText(node) ?? '')?.address === parseAddress(wanted)?.address;
  const { isFour } = familiesOf(variables);
  const isMarked = notes.length > 0 || more['labels'] !== undefined || more['taints'] !== undefined;
  return [
    ...firsts.flatMap((names) => {
      const name = names.find((each) => variables.has(each));
      const isUsed = name === undefined || isSecret(name) ? textOf : plainText;
      return name === undefined ? [] : at(name, (node) => isUsed(node) !== undefined);
    }),
    ...['ansible_host', 'ansible_ssh_host'].flatMap((name) =>
      at(name, (node) => plainText(node) === ssh.host),
    ),
    ...['ansible_ssh_private_key_file', 'ansible_private_key_file'].flatMap((name) =>
      at(name, (node) => textOf(node) === ssh.privateKey),
    ),
    ...argumentNames.flatMap((name) =>
      at(name, (node) => {
        const route = jumpIn(textOf(node) ?? '');
        return route?.isAlone === true && route.host === ssh.proxyJump;
      }),
    ),
    ...Object.entries(usual).flatMap(([name, pattern]) =>
      at(name, (node) => pattern.test(textOf(node) ?? '')),
    ),
    ...['ip', 'access_ip', 'private_ip', ...(isFour ? [] : ipv6Names)].flatMap((name) =>
      at(name, isAddress(address)),
    ),
    ...['secondary_ip', ...(isFour ? ipv6Names : [])].flatMap((name) =>
      at(name, isAddress(more['secondaryAddress'])),
    ),
    ...(isMember ? at('etcd_member_name', (node) => plainText(node) !== undefined) : []),
    ...(isMarked ? at('node_labels', areLabels) : []),
    ...itemsOf(variables.get('node_taints')?.value).flatMap((node) =>
      taintOf(node).length > 0 ? [node.place] : [],
    ),
  ];
}

type KnownVariables = Readonly<Record<string, (node: ForeignNode) => boolean>>;

const areAll = (names: readonly string[], is: (node: ForeignNode) => boolean): KnownVariables =>
  Object.fromEntries(names.map((name) => [name, is]));

const isPlain = (node: ForeignNode): boolean => node.kind === 'scalar' && plainText(node) !== undefined;
const isText = (wanted: string) => (node: ForeignNode) => textOf(node) === wanted;
const isTruth = (node: ForeignNode): boolean =>
  /^(?:true|false|yes|no|on|off|0|1)$/i.test(textOf(node) ?? '');

/** Those that only a definition for kubespray says. */
const knownOfKubespray: KnownVariables = {
  ...areAll(['kube_version', 'auto_renew_certificates_systemd_calendar'], isPlain),
  auto_renew_certificates: isTruth,
  kube_network_plugin: (node) => Object.hasOwn(networkPlugins, textOf(node) ?? ''),
  container_manager: (node) => ['containerd', 'crio', 'docker'].includes(textOf(node) ?? ''),
  no_proxy_exclude_workers: isTrue,
  kube_owner: isText('root'),
};

/** Variables of the whole cluster that keys of the definition say; each with what it has to be for that. */
const knownVariables: KnownVariables = {
  ...areAll(
    ['apiserver_loadbalancer_domain_name', 'http_proxy', 'https_proxy', 'no_proxy', 'additional_no_proxy'],
    isPlain,
  ),
  ...areAll(['enable_dual_stack_networks', 'ipv6_stack', 'ipv4_stack'], isTruth),
  kube_apiserver_port: (node) => /^\d+$/.test(textOf(node) ?? ''),
  supplementary_addresses_in_ssl_keys: (node) =>
    node.kind === 'list' && node.items.every((each) => plainText(each) !== undefined),
};

/** A cluster without a family has no use for its networks. */
const networksOf = ({ isFour, isSix }: Families): KnownVariables =>
  areAll(
    [
      ...(isFour ? ['kube_pods_subnet', 'kube_service_addresses'] : []),
      ...(isSix ? ['kube_pods_subnet_ipv6', 'kube_service_addresses_ipv6'] : []),
    ],
    isPlain,
  );

/** Where the variables stand that the definition says in its own words. */
export function takenByCluster(variables: VariablesOfHost, isInstaller: boolean): readonly TextPlace[] {
  const all = {
    ...knownVariables,
    ...(isInstaller ? knownOfKubespray : { container_manager: isText('containerd') }),
    ...networksOf(familiesOf(variables)),
  };
  return Object.entries(all).flatMap(([name, is]) => {
    const found = variables.get(name);
    return found && is(found.value) ? [found.keyPlace] : [];
  });
}
