import { cidr, contains, networkOf, parseAddress, parseBlock } from '../source/networks.ts';
import type { ComposedDefinition } from './compose.ts';
import { safeName } from './names.ts';
import { probableNetworks, withPrefix } from './networks.ts';
import { joinParts, part, type ImportPart } from './part.ts';

/** The name of the cluster, the Ansible server, prefixes and networks, where nothing said them. */
export function complete({ data }: ComposedDefinition, name: string): ImportPart {
  const { metadata, ansibleServer } = data as {
    readonly metadata?: { readonly name?: string };
    readonly ansibleServer?: unknown;
  };
  const usual = safeName(name === '' ? 'imported' : name, 'cluster');
  return joinParts([
    metadata?.name === undefined
      ? part({
          pieces: [{ path: ['metadata', 'name'], value: usual }],
          assumptions: [`the cluster is called ${usual}; --name changes it`],
        })
      : part({}),
    ansibleServer === undefined
      ? part({
          pieces: [{ path: ['ansibleServer'], value: 'local' }],
          assumptions: ['this machine is the Ansible server; --ansible-server user@host names another'],
        })
      : part({}),
    networksOf(data),
  ]);
}

interface ImportDraft {
  readonly network?: { readonly nodeSubnet?: string | readonly string[] };
  readonly nodes?: readonly { readonly address?: string }[];
  readonly controlPlaneEndpoint?: { readonly address?: string };
}

function networksOf(data: ComposedDefinition['data']): ImportPart {
  const { network, nodes = [], controlPlaneEndpoint } = data as ImportDraft;
  const virtual = controlPlaneEndpoint?.address;
  const known = [network?.nodeSubnet ?? []].flat();
  const addresses = nodes.flatMap(({ address }) => address ?? []);
  const probable = known.length > 0 ? known : probableNetworks(addresses);
  const full = virtual !== undefined && parseAddress(virtual) ? withPrefix(virtual, probable) : virtual;
  const networks = known.length > 0 ? [] : missingNetworks(addresses, full);
  return joinParts([
    full === undefined || full === virtual ? part({}) : addressWithPrefix(full),
    living(networks),
  ]);
}

const addressWithPrefix = (address: string): ImportPart =>
  part({
    pieces: [{ path: ['controlPlaneEndpoint', 'address'], value: address }],
    assumptions: [`the virtual address has the prefix of ${address}`],
  });

const living = (networks: readonly string[]): ImportPart =>
  part(
    networks.length === 0
      ? {}
      : {
          pieces: [
            { path: ['network', 'nodeSubnet'], value: networks.length === 1 ? networks[0] : networks },
          ],
          assumptions: [`the network of the nodes is ${networks.join(' and ')}; --node-subnet names another`],
        },
  );

/** None where the network of the virtual address holds them all. */
function missingNetworks(addresses: readonly string[], virtual: string | undefined): readonly string[] {
  const endpoint = parseBlock(virtual ?? '');
  const outside = addresses.filter((address) => {
    const parsed = parseAddress(address);
    return !(endpoint && parsed && contains(endpoint, parsed));
  });
  if (outside.length === 0) return [];
  const probable = probableNetworks(addresses);
  const isInside = endpoint && probable.some((each) => contains(parseBlock(each) ?? endpoint, endpoint));
  return endpoint && !isInside ? [...probable, cidr(networkOf(endpoint))] : probable;
}
