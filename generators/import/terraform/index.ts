import { failed, type Result } from '../../result.ts';
import {
  conclude,
  type ImportedDefinition,
  type RefusedImport,
  type ConclusionSettings,
} from '../conclude.ts';
import { importKubespray } from '../inventory/index.ts';
import { restOf } from '../left-over.ts';
import { machinesPart, type FoundMachine } from '../machines.ts';
import { numberName, safeMachineName } from '../names.ts';
import { part, type ImportPart, type Wishes } from '../part.ts';
import { readJson } from '../../source/foreign/json.ts';
import { entry, field, textAt } from '../../source/foreign/look.ts';
import {
  placesOf,
  wrongAt,
  type ForeignNode,
  type MapEntry,
  type TextPlace,
  type Text,
} from '../../source/foreign/node.ts';
import {
  kindOf,
  machinesIn,
  outputOf,
  seenIn,
  strangeIn,
  unpairedIn,
  type OutputKind,
  type TerraformOutput,
  type OutputAddress,
} from './outputs.ts';
import { isControlPlane } from '../../cluster/roles.ts';

/** A definition of what `terraform output -json` prints, where the outputs tell machines and what they do. */
export function importTerraform(
  texts: readonly Text[],
  setting: ConclusionSettings,
): Result<ImportedDefinition, RefusedImport> {
  const [source] = texts;
  if (!source || texts.length > 1)
    return refusal({ file: source?.file ?? '', line: 1, column: 1, length: 1 }, 'one file with the outputs');
  const read = readJson(source);
  if (!read.ok) return failed({ problems: read.failure, draft: '' });
  const inventory = entry(read.value, 'inventory', 'ansible_inventory');
  const text = textAt(inventory?.value, 'value');
  if (inventory && text !== undefined)
    return importKubespray([{ file: `${source.file} (output ${inventory.key})`, text }], {
      ...setting,
      rest: restOf(otherOutputs(read.value, inventory)),
    });
  const outputs = read.value.kind === 'map' ? read.value.entries.map(outputOf) : [];
  const machines = machinesOf(outputs, setting.wishes);
  if (machines.length === 0)
    return refusal(
      placesOf(source)(0),
      field(read.value, 'terraform_version') !== undefined
        ? 'what `terraform output -json` prints; this is a state or a plan'
        : 'outputs like master_ips, worker_ips and bastion_ip, each a list or a mapping of addresses',
    );
  return conclude(
    [
      machinesPart(machines, setting.wishes),
      part({
        problems: [...outputs.flatMap(strangeIn), ...kinds.flatMap((kind) => unpairedIn(outputs, kind))],
      }),
      endpointPart(outputs, machines, setting.wishes),
      floatingPart(outputs),
    ],
    {
      ...setting,
      sources: [source.file],
      name: '',
      rest: restOf([read.value]),
    },
  );
}

const kinds = ['controlPlane', 'worker', 'etcd'] as const;

/** An output beside the inventory may say what it does not. */
const otherOutputs = (outputs: ForeignNode, taken: MapEntry): readonly ForeignNode[] =>
  outputs.kind === 'map'
    ? [{ ...outputs, entries: outputs.entries.filter((each) => each !== taken) }]
    : [outputs];

const refusal = (place: TextPlace, right: string): Result<never, RefusedImport> =>
  failed({ problems: [wrongAt(place, 'no output tells which machines there are', right)], draft: '' });

/** Each machine once, though masters may be members of etcd too. */
function machinesOf(outputs: readonly TerraformOutput[], wishes: Wishes): readonly FoundMachine[] {
  const of = (kind: OutputKind): readonly OutputAddress[] => machinesIn(outputs, kind);
  const controlPlanes = once(of('controlPlane'));
  const etcd = once(of('etcd'));
  const isOwn =
    etcd.length > 0 &&
    !(etcd.length === controlPlanes.length && etcd.every((each) => has(controlPlanes, each)));
  const groups = { master: controlPlanes, worker: once(of('worker')), etcd: isOwn ? etcd : [] };
  const jump = of('bastion')[0]?.way;
  const way = jump === undefined || wishes.user === '' ? jump : `${wishes.user}@${jump}`;
  return once([...controlPlanes, ...groups.etcd, ...groups.worker]).map((seen, index) =>
    machineOf(seen, {
      name: seen.name === '' ? nameOf(seen, groups) : safeMachineName(seen.name, `node-${index}`),
      groups,
      way,
    }),
  );
}

type Groups = Readonly<Record<'master' | 'worker' | 'etcd', readonly OutputAddress[]>>;

function machineOf(
  seen: OutputAddress,
  { name, groups, way }: { readonly name: string; readonly groups: Groups; readonly way: string | undefined },
): FoundMachine {
  return {
    list: 'nodes',
    name,
    address: seen.address,
    roles: [
      ...(has(groups.master, seen) ? ['control-plane'] : []),
      ...(has(groups.etcd, seen) ? ['etcd'] : []),
      ...(has(groups.worker, seen) ? ['worker'] : []),
    ],
    ssh: { host: seen.way, ...(way === undefined ? {} : { proxyJump: way }) },
    more: {},
    notes: [],
    place: seen.place,
  };
}

/** By the first group that the machine is in, counted among those that are in no earlier one. */
function nameOf(seen: OutputAddress, { master, worker, etcd }: Groups): string {
  if (has(master, seen)) return numberName('master', placeIn(master, seen), master.length);
  const others = worker.filter((each) => !has(master, each));
  return has(others, seen)
    ? numberName('worker', placeIn(others, seen), others.length)
    : numberName('etcd', placeIn(etcd, seen), etcd.length);
}

const placeIn = (list: readonly OutputAddress[], { address }: OutputAddress): number =>
  list.findIndex((each) => each.address === address);

const has = (list: readonly OutputAddress[], seen: OutputAddress): boolean => placeIn(list, seen) >= 0;

const once = (seen: readonly OutputAddress[]): readonly OutputAddress[] =>
  [...new Map(seen.toReversed().map((each) => [each.address, each])).values()].reverse();

/** A load balancer that Terraform made is somebody else's. */
function endpointPart(
  outputs: readonly TerraformOutput[],
  machines: readonly FoundMachine[],
  wishes: Wishes,
): ImportPart {
  const controlPlanes = machines.filter(isControlPlane);
  const found = outputs
    .filter(({ name }) => kindOf(name) === 'balancer' && !name.includes('ingress'))
    .flatMap(seenIn)[0];
  const [leader] = controlPlanes;
  if (wishes.vip !== '' || (controlPlanes.length < 2 && !found)) return part({});
  if (!found && leader)
    return part({
      problems: [
        wrongAt(
          leader.place,
          `${controlPlanes.length} control planes need one address for all of them, and no output says it`,
          '--vip 192.0.2.80/24',
        ),
      ],
    });
  return part({
    pieces: [
      { path: ['controlPlaneEndpoint', 'address'], value: found?.address, place: found?.place },
      { path: ['controlPlaneEndpoint', 'loadBalancer', 'placement'], value: 'external' },
    ],
    assumptions: ['something else balances the API at the address of the load balancer'],
  });
}

/** Outputs with floating addresses only leave the private ones unknown. */
const floatingPart = (outputs: readonly TerraformOutput[]): ImportPart =>
  part({
    assumptions: kinds.some(
      (kind) =>
        outputs.some(({ name }) => /fips?$/.test(name) && kindOf(name) === kind) &&
        machinesIn(outputs, kind).some(({ address, way }) => address === way),
    )
      ? ['only floating addresses are among the outputs; the machines talk to each other by them']
      : [],
  });
