import { isNull } from '../../../source/foreign/look.ts';
import { wrongAt, type ForeignNode } from '../../../source/foreign/node.ts';
import type { Problems } from '../../../source/problem.ts';
import { isComputed } from './references.ts';
import type { Families } from '../address.ts';
import type { VariablesOfHost } from '../ssh.ts';

/** What a definition needs and only Ansible could work out: that is not as if it were absent. */
export const computedValues = (variables: VariablesOfHost, kind: ValuesNeeded): Problems =>
  Object.entries(neededBy(kind)).flatMap(([key, right]) => {
    const node = variables.get(key)?.value;
    return node === undefined || !isUnreadable(node)
      ? []
      : [wrongAt(node.place, `\`${key}\` cannot be evaluated here, and a definition needs its value`, right)];
  });

interface ValuesNeeded {
  readonly isKubespray: boolean;
  /** Whether kubespray stays the installer. */
  readonly isInstaller: boolean;
  readonly families: Families;
}

const isUnreadable = (node: ForeignNode): boolean =>
  !isNull(node) && (node.kind !== 'scalar' || isComputed(node));

const neededBy = ({
  isKubespray,
  isInstaller,
  families,
}: ValuesNeeded): Readonly<Record<string, string>> => ({
  ...ofProxies,
  ...(isKubespray ? ofServers : {}),
  ...(isKubespray && families.isFour ? ofNetworks : {}),
  ...(isKubespray && families.isSix ? ofNetworks6 : {}),
  ...(isKubespray && isInstaller ? ofInstaller : {}),
});

const ofProxies = {
  http_proxy: 'http://proxy.example.org:3128',
  https_proxy: 'http://proxy.example.org:3128',
  no_proxy: '.example.org,10.20.0.0/16',
  additional_no_proxy: '.example.org,10.20.0.0/16',
};

const ofNetworks = {
  kube_pods_subnet: 'the value itself, like 10.233.64.0/18',
  kube_service_addresses: 'the value itself, like 10.233.0.0/18',
};

const ofServers = {
  kube_apiserver_port: 'the value itself, like 6443',
  enable_dual_stack_networks: 'true or false',
  ipv4_stack: 'true or false',
  ipv6_stack: 'true or false',
};

const ofNetworks6 = {
  kube_pods_subnet_ipv6: 'the value itself, like fd85:ee78:d8a6:8607::1:0000/112',
  kube_service_addresses_ipv6: 'the value itself, like fd85:ee78:d8a6:8607::1000/116',
};

const ofInstaller = {
  kube_version: 'the value itself, like 1.32.5',
  kube_network_plugin: 'the value itself, like calico',
  container_manager: 'the value itself, like containerd',
  auto_renew_certificates: 'true or false',
};
