import { plainOf, entry, field, fieldAt, isNull, itemsOf, sameName } from '../../source/foreign/look.ts';
import { doubtAt, wrongAt, type ForeignNode } from '../../source/foreign/node.ts';
import type { Problems } from '../../source/problem.ts';
import { failed, ok, type Result } from '../../result.ts';
import { withoutSecrets } from '../masked.ts';
import { part, type ImportPart } from '../part.ts';
import { isOfCnf } from './instance.ts';
import type { Documents } from './documents.ts';

/** `k8s_cluster_installation_param`, from the request or, where there is none, as the instance kept it. */
export function parametersOf({ request, instance, files }: Documents): Result<ForeignNode, Problems> {
  const found =
    fieldAt(request, 'additionalParams', name) ??
    field(request, name) ??
    fieldAt(instance, 'instantiatedVnfInfo', 'additionalParams', name);
  if (found?.kind === 'map') return ok(found);
  const at = entry(request, 'additionalParams')?.keyPlace ?? (request ?? instance)?.place;
  if (!at)
    return failed([
      wrongAt(
        { file: files[0] ?? '', line: 1, column: 1, length: 1 },
        'neither a request nor an instance of Tacker is among these files, so nothing says what cluster this is',
        'an InstantiateVnfRequest, or `GET /vnf_instances/{id}`, beside them',
      ),
    ]);
  if (fieldAt(request, 'additionalParams', 'private_registry_installation_param') !== undefined)
    return failed([
      wrongAt(
        at,
        'this request makes the VNF of a private registry, which is no cluster',
        'the request that made the cluster; the registry goes below `containerd.registries`: { host: 192.0.2.5:5000, mirrors: [http://192.0.2.5:5000] }',
      ),
    ]);
  const isCnf = fieldAt(request, 'additionalParams', 'lcm-kubernetes-def-files') !== undefined;
  return failed([
    isCnf || (!request && isOfCnf(instance))
      ? wrongAt(
          { ...at, length: Math.min(at.length, 60) },
          `this ${isCnf ? 'request deploys a CNF onto' : 'instance is a CNF on'} a cluster; it makes no cluster`,
          `the ${isCnf ? 'request' : 'instance'} that made the cluster; --operation with this file tells what to write below \`cnfs\``,
        )
      : wrongAt(
          { ...at, length: Math.min(at.length, 60) },
          'there is no `k8s_cluster_installation_param`, so nothing says what cluster this is',
          'an InstantiateVnfRequest with it, or `GET /vnf_instances/{id}` of a server that shows additionalParams',
        ),
  ]);
}

const name = 'k8s_cluster_installation_param';

/** Keys that no definition has: what Tacker's own scripts are told is kept, what nobody knows is reported too. */
export function strangeParameters({ request }: Documents, parameters: ForeignNode): ImportPart {
  const others = field(request, 'additionalParams');
  const outside =
    others?.kind === 'map' ? others.entries.filter(({ key }) => sameName(key) !== sameName(name)) : [];
  const inside = unknownIn(parameters, '');
  const scripts = ['script_path', 'helm_installation_script_path'].flatMap(
    (key) => entry(parameters, key) ?? [],
  );
  const kept = [...outside, ...inside.map(({ entry: each }) => each), ...scripts];
  const data = { 'x-tacker': Object.fromEntries(kept.map(({ key, value }) => [key, plainOf(value)])) };
  return part({
    kept:
      kept.length === 0
        ? []
        : [{ title: 'Parameters of Tacker that are not needed here:', data: withoutSecrets(data) }],
    problems: [...inside.map(unknownKey), ...emptyIn(parameters), ...misshapenIn(parameters)],
  });
}

const unknownKey = ({ path, entry: { keyPlace } }: UnknownParameter): Problems[number] =>
  doubtAt(
    keyPlace,
    `no driver of Tacker reads \`${path}\`; it is kept as a comment`,
    'one of the keys of its guides',
  );

interface UnknownParameter {
  readonly path: string;
  readonly entry: NonNullable<ReturnType<typeof entry>>;
}

function unknownIn(node: ForeignNode, path: string): readonly UnknownParameter[] {
  if (node.kind === 'list') return node.items.flatMap((item) => unknownIn(item, path));
  if (node.kind !== 'map') return [];
  const known = keys[sameName(path.split('.').at(-1) ?? '')]?.map(sameName);
  return node.entries.flatMap((each) => {
    const own = path === '' ? each.key : `${path}.${each.key}`;
    return known && !known.includes(sameName(each.key))
      ? [{ path: own, entry: each }]
      : unknownIn(each.value, own);
  });
}

/** Every key that one of the drivers reads. */
const keys: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    '': 'vim_name script_path helm_installation_script_path master_node worker_node proxy ansible external_lb_param storage_server pv_registration_params private_registry_connection_info',
    master_node:
      'aspect_id vdu_id ssh_cp_name nic_cp_name username password pod_cidr cluster_cidr cluster_cp_name cluster_fip_name',
    worker_node: 'aspect_id vdu_id ssh_cp_name nic_cp_name username password',
    proxy: 'http_proxy https_proxy no_proxy k8s_node_cidr',
    ansible: 'ip_address username password kubespray_root_path transferring_inventory_path',
    external_lb_param: 'ssh_cp_name ssh_username ssh_password script_path ssh_ip',
    storage_server:
      'ssh_cp_name nic_cp_name username password cinder_volume_setup_params nfs_server_setup_params',
    cinder_volume_setup_params: 'volume_resource_id mount_to',
    nfs_server_setup_params: 'export_dir export_to',
    pv_registration_params: 'pv_manifest_file_path nfs_server_cp',
    private_registry_connection_info:
      'connection_type server username password certificate_path hosts_string',
  }).map(([key, text]) => [sameName(key), text.split(' ')]),
);

/** Mappings and lists of them; whatever else a driver reads is one value. */
const mappings = [
  'master_node',
  'worker_node',
  'proxy',
  'ansible',
  'external_lb_param',
  'storage_server',
].map(sameName);
const lists = [
  'cinder_volume_setup_params',
  'nfs_server_setup_params',
  'pv_registration_params',
  'private_registry_connection_info',
].map(sameName);

/** Values of another shape than the drivers read: what would be taken in their place was never meant. */
function misshapenIn(node: ForeignNode, key = ''): Problems {
  if (node.kind === 'list') return node.items.flatMap((item) => misshapenIn(item, key));
  if (node.kind !== 'map') return [];
  const known = keys[sameName(key)]?.map(sameName) ?? [];
  return node.entries
    .filter((each) => known.includes(sameName(each.key)) && !isNull(each.value))
    .flatMap(({ key: name, value }): Problems => {
      const right = shapeOf(sameName(name));
      const isRight = right === 'list' ? value.kind !== 'scalar' : value.kind === right;
      if (!isRight)
        return [
          wrongAt(
            { ...value.place, length: Math.min(value.place.length, 60) },
            `\`${name}\` is ${words[value.kind]}`,
            words[right],
          ),
        ];
      const verdict = value.kind === 'scalar' ? values[sameName(name)]?.(value.text) : undefined;
      return verdict === undefined
        ? misshapenIn(value, name)
        : [wrongAt(value.place, verdict[0], verdict[1])];
    });
}

const shapeOf = (name: string): ForeignNode['kind'] =>
  mappings.includes(name) ? 'map' : lists.includes(name) ? 'list' : 'scalar';

const words = { map: 'a mapping', list: 'a list', scalar: 'a single value' } as const;

/** What is wrong with a single value, and what would be right. */
const values: Readonly<Record<string, (text: string) => readonly [string, string] | undefined>> = {
  [sameName('connection_type')]: (text) =>
    /^[01]$/.test(text) ? undefined : ['a connection_type is 0 (HTTP) or 1 (HTTPS)', '"1"'],
};

/** Texts that say nothing: the sample requests are full of them. */
function emptyIn(node: ForeignNode): Problems {
  if (node.kind !== 'map') return itemsOf(node).flatMap(emptyIn);
  return node.entries.flatMap(({ key, value }) =>
    value.kind === 'scalar' && value.isQuoted && value.text === ''
      ? [doubtAt(value.place, `\`${key}\` is empty`, 'a value, or remove the key')]
      : emptyIn(value),
  );
}
