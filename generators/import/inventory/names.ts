import { parseAddress } from '../../source/networks.ts';
import { someOf } from '../machines.ts';
import { isSafeForMachine, numberName, safeMachineName, unlike } from '../names.ts';
import { correctable, joinParts, part, type ImportPart, type Wishes } from '../part.ts';
import { wrongAt } from '../../source/foreign/node.ts';
import type { InventoryHost } from './inventory.ts';

/** Names that are safe everywhere; what has to be changed is told, since a node of a cluster keeps its name. */
export function safeNames(
  hosts: readonly InventoryHost[],
  wishes: Wishes,
): { readonly nameOf: (host: string) => string; readonly told: ImportPart } {
  const names = new Map(hosts.filter(({ name }) => isSafeForMachine(name)).map(({ name }) => [name, name]));
  const taken = new Set(names.values());
  const others = hosts.filter(({ name }) => !names.has(name));
  const told: ImportPart[] = [];
  for (const [index, host] of hosts.entries()) {
    if (names.has(host.name)) continue;
    const isAddress = parseAddress(host.name) !== undefined;
    const name = unlike(
      isAddress ? numberName('node', index, hosts.length) : safeMachineName(host.name),
      taken,
    );
    taken.add(name);
    names.set(host.name, name);
    if (!isAddress) told.push(renameHost(host, name, wishes));
  }
  return { nameOf: (host) => names.get(host) ?? host, told: joinParts([...told, nameHosts(others, names)]) };
}

/** Hosts that are only an address get a name. */
function nameHosts(hosts: readonly InventoryHost[], names: ReadonlyMap<string, string>): ImportPart {
  const addresses = hosts.filter(({ name }) => parseAddress(name));
  const said = addresses.map(({ name }) => `${name} is called ${names.get(name) ?? ''}`);
  return part({ assumptions: said.length === 0 ? [] : [someOf(said)] });
}

const renameHost = ({ name, place }: InventoryHost, right: string, wishes: Wishes): ImportPart =>
  correctable(wrongAt(place, `${JSON.stringify(name)} is not a name that is safe everywhere`, right), wishes);
