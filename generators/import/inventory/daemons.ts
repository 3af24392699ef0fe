import { priorityOf } from '../../definition/derived.ts';
import type { FoundMachine } from '../machines.ts';
import { parseAddress } from '../../source/networks.ts';
import { endpointOf } from '../cluster/endpoint.ts';
import { joinParts, part, type ImportPart } from '../part.ts';
import { textAt } from '../../source/foreign/look.ts';
import type { ForeignNode, Text } from '../../source/foreign/node.ts';
import { readYamlNode } from '../../source/foreign/yaml.ts';

/** What configuration files of keepalived, HAProxy and kubeadm beside an inventory say, like those of our own bundles. */
export const daemonsPart = (texts: readonly Text[]): ImportPart =>
  joinParts([keepalivedPart(texts), haproxyPart(texts), kubeadmPart(texts)]);

const textsNamed = (texts: readonly Text[], name: RegExp): readonly Text[] =>
  texts.filter(({ file }) => name.test(file));

function keepalivedPart(texts: readonly Text[]): ImportPart {
  const [first] = textsNamed(texts, keepalivedFile);
  const [, address] = /virtual_ipaddress\s*\{\s*(\S+)/.exec(first?.text ?? '') ?? [];
  if (!first || address === undefined) return part({});
  const say = (key: string, value: unknown) => ({
    path: ['controlPlaneEndpoint', 'loadBalancer', 'keepalived', key],
    value,
  });
  const told = (pattern: RegExp): string | undefined => pattern.exec(first.text)?.[1];
  const secret = told(/auth_pass\s+\{\{\s*vault_(\w+)\s*\}\}/)?.toUpperCase();
  const isPlain = secret === undefined && /auth_pass\s+\S/.test(first.text);
  const variable = secret ?? 'KEEPALIVED_PASSWORD';
  const port = told(/^\s*interface\s+([\w.-]+)\s*$/m);
  return part({
    pieces: [
      { path: ['controlPlaneEndpoint', 'address'], value: address },
      ...(port === undefined
        ? []
        : [{ path: ['controlPlaneEndpoint', 'loadBalancer', 'interface'], value: port }]),
      say('virtualRouterId', Number(told(/virtual_router_id\s+(\d+)/) ?? 51)),
      say('vrrpVersion', Number(told(/vrrp_version\s+(\d)/) ?? 2)),
      say('transport', first.text.includes('unicast_peer') ? 'unicast' : 'multicast'),
      say('election', /^\s*nopreempt/m.test(first.text) ? 'nopreempt' : 'preempt'),
      say('advertisementInterval', duration(Number(told(/advert_int\s+([\d.]+)/) ?? 1))),
      ...(secret !== undefined || isPlain ? [say('password', { env: variable })] : []),
    ],
    secrets: secret !== undefined || isPlain ? [{ variable, what: 'the VRRP password' }] : [],
  });
}

const duration = (seconds: number): string =>
  Number.isInteger(seconds) ? `${seconds}s` : `${Math.round(seconds * 1000)}ms`;

const keepalivedFile = /^(?!.*files\/external).*keepalived\.conf(?:\.j2)?$/;

/** Priorities by the folder that a machine's file lies in; those that follow from the address are not written. */
export const withPriorities = (
  machines: readonly FoundMachine[],
  texts: readonly Text[],
): readonly FoundMachine[] => {
  const told = new Map(
    textsNamed(texts, keepalivedFile).map(({ file, text }) => [
      file.split('/').at(-2) ?? '',
      Number(/priority\s+(\d+)/.exec(text)?.[1] ?? NaN),
    ]),
  );
  return machines.map((machine) => {
    const priority = told.get(machine.name);
    const address = parseAddress(machine.address);
    return priority === undefined || Number.isNaN(priority) || (address && priorityOf(address) === priority)
      ? machine
      : { ...machine, more: { ...machine.more, vrrpPriority: priority } };
  });
};

function haproxyPart(texts: readonly Text[]): ImportPart {
  const [first] = textsNamed(texts, /^(?!.*files\/external).*haproxy\.cfg(?:\.j2)?$/);
  const port = /^frontend\s+\S*(?:api|kube|k8s)\S*[^]*?^\s*bind\s+\S*:(\d+)/m.exec(first?.text ?? '')?.[1];
  return part(
    port === undefined ? {} : { pieces: [{ path: ['controlPlaneEndpoint', 'port'], value: Number(port) }] },
  );
}

/** What kubeadm is told, in a bundle of ours, of today or of an older Playsmith. */
export const ofKubeadm =
  /(?:^|\/)kubeadm\/[^/]+\.ya?ml$|(?:^|\/)kubernetes-settings\/kubeadm(?:\/[^/]+)?\.yaml\.j2$/;

/** ClusterConfiguration and the documents beside it. */
function kubeadmPart(texts: readonly Text[]): ImportPart {
  const documents = textsNamed(texts, ofKubeadm)
    .slice(0, 1)
    .flatMap(({ file, text }) => text.split(/^---\s*$/m).map((each) => readYamlNode({ file, text: each })))
    .flatMap((read) => (read.ok ? [read.value] : []));
  const found = documents.find((node) => textAt(node, 'kind') === 'ClusterConfiguration');
  const first = documents.find((node) => textAt(node, 'kind') === 'InitConfiguration');
  if (!found) return part({});
  const port = Number(textAt(first, 'localAPIEndpoint', 'bindPort') ?? 6443);
  const { host } = endpointOf(found);
  return part({
    pieces: [
      ...subnet(found, 'podSubnet'),
      ...subnet(found, 'serviceSubnet'),
      ...(host === '' || parseAddress(host)
        ? []
        : [{ path: ['controlPlaneEndpoint', 'dnsName'], value: host }]),
      ...(port === 6443 ? [] : [{ path: ['network', 'apiServerPort'], value: port }]),
      ...version(found),
    ],
  });
}

function subnet(found: ForeignNode, key: 'podSubnet' | 'serviceSubnet'): ImportPart['pieces'] {
  const written = textAt(found, 'networking', key)?.split(',') ?? [];
  return written.length === 0
    ? []
    : [{ path: ['network', key], value: written.length === 1 ? written[0] : written }];
}

const version = (found: ForeignNode): ImportPart['pieces'] => {
  const written = textAt(found, 'kubernetesVersion')?.replace(/^v/, '');
  return written === undefined ? [] : [{ path: ['installer', 'kubeadm', 'version'], value: written }];
};

/** The DNS name of the endpoint that is told, or empty. */
export const nameTold = ({ pieces }: ImportPart): string =>
  pieces
    .flatMap(({ path, value }) =>
      path[0] === 'controlPlaneEndpoint' && path[1] === 'dnsName' && typeof value === 'string' ? [value] : [],
    )
    .join('');

/** Whether an address of the control planes is told. */
export const tellsAddress = ({ pieces }: ImportPart): boolean =>
  pieces.some(({ path }) => path[0] === 'controlPlaneEndpoint' && path[1] === 'address');
