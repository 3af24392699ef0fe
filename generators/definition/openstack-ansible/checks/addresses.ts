import { problemAt, warning, type Finding } from '../../../source/finding.ts';
import { cidr, networkOf, overlap, parseAddress, parseBlock } from '../../../source/networks.ts';
import { hasGap } from '../../gaps.ts';
import { driverOf, podSubnetOf, type OsaFacts } from '../derived.ts';

/** Addresses of pods overlap nothing, and the API has an address that HAProxy can listen on. */
export const osaAddresses = (facts: OsaFacts): readonly Finding[] => [
  ...overlaps(facts),
  ...inner(facts),
  ...listening(facts),
];

function overlaps(facts: OsaFacts): Finding[] {
  const { draft, hosts, internalAddress, externalAddress, configuration } = facts;
  const pods = parseBlock(podSubnetOf(draft));
  if (!pods) return [];
  const at = draft.controlPlane?.podSubnet === undefined ? ['controlPlane'] : ['controlPlane', 'podSubnet'];
  const networks = [
    ...configuration.networks.map(({ name, block }) => ({ what: `the network ${name}`, block })),
    ...(draft.openStackAnsible?.networks ?? []).map((text) => ({
      what: 'the network',
      block: parseBlock(text ?? ''),
    })),
    ...driverOf(facts).networks.map((text) => ({
      what: 'what workload clusters use unless their labels say otherwise,',
      block: parseBlock(text),
    })),
  ];
  const addresses = [
    ['the internal address', internalAddress],
    ['the external address', externalAddress],
    ...hosts.map(({ name, address }) => [`the address of ${name}`, address] as const),
  ] as const;
  const touched = [
    ...networks.flatMap(({ what, block }) =>
      block && overlap(pods, block) ? [`${what} ${cidr(networkOf(block))}`] : [],
    ),
    ...addresses.flatMap(([what, text]) => {
      const address = parseAddress(text);
      return address && overlap(pods, address) ? [`${what} ${text}`] : [];
    }),
  ];
  if (touched.length === 0) return [];
  return [
    problemAt(
      at,
      `the pods of the control plane (${cidr(networkOf(pods))}) overlap ${touched.join(', ')}`,
      'podSubnet: a network that nothing else uses, like 172.29.200.0/22',
    ),
  ];
}

/** The name by which every kubeconfig reaches the control plane. */
const inner = ({ internalAddress, draft, configuration }: OsaFacts): Finding[] =>
  internalAddress !== '' || configuration.problems.length > 0
    ? []
    : [
        warning(
          draft.openStackAnsible ? ['openStackAnsible'] : [],
          'the internal virtual address is not known, so nothing is compared with it',
          'internalAddress: 172.29.236.9, or `configuration`',
        ),
      ];

/** `bind name:6443` fails in HAProxy when the name has no address there. */
function listening({ internalAddress, draft }: OsaFacts): Finding[] {
  const bind = draft.openStackAnsible?.internalBindAddress;
  if (bind !== undefined)
    return parseAddress(bind)
      ? []
      : [problemAt(['openStackAnsible', 'internalBindAddress'], `${bind} is not an address`, '172.29.236.9')];
  if (internalAddress === '' || parseAddress(internalAddress)) return [];
  if (hasGap(draft, 'openStackAnsible.internalAddress', 'openStackAnsible.internalBindAddress')) return [];
  return [
    problemAt(
      ['openStackAnsible'],
      `the internal address is the name ${internalAddress}, which HAProxy may not be able to listen on`,
      'internalBindAddress: the address behind it',
    ),
  ];
}
