import type { Problems } from '../../source/problem.ts';
import { failed, ok, type Result } from '../../result.ts';
import { readJson, repeatedKeys } from '../../source/foreign/json.ts';
import { entry, field, fieldAt, itemsOf } from '../../source/foreign/look.ts';
import { doubtAt, wrongAt, type ForeignNode, type Text } from '../../source/foreign/node.ts';

/** What Tacker and OpenStack say about one cluster, each kind from any number of files. */
export interface Documents {
  readonly request: ForeignNode | undefined;
  readonly instance: ForeignNode | undefined;
  readonly grant: ForeignNode | undefined;
  readonly heat: readonly ForeignNode[];
  readonly servers: readonly ForeignNode[];
  readonly ports: readonly ForeignNode[];
  readonly floating: readonly ForeignNode[];
  readonly volumes: readonly ForeignNode[];
  readonly doubts: Problems;
  /** What they are called. */
  readonly files: readonly string[];
  /** The files as they are. */
  readonly all: readonly ForeignNode[];
}

/** Reads every file and tells by its keys what it is; names of files do not matter. */
export function readDocuments(texts: readonly Text[]): Result<Documents, Problems> {
  const read = texts.map((text) => readJson(text));
  const broken = read.flatMap((each) => (each.ok ? [] : each.failure));
  if (broken.length > 0) return failed(broken);
  const nodes = read.flatMap((each) => (each.ok ? [each.value] : []));
  const rows = nodes.flatMap(unwrap).map((node) => ({ node, kind: kindOf(node) }));
  const of: NodesOfKind = (kind) => rows.filter((row) => row.kind === kind).map(({ node }) => node);
  const wrong = [...of('unknown').map(strange), ...of('operation').map(operation)];
  if (wrong.length > 0) return failed(wrong);
  return ok({
    request: readOf(of('request')),
    instance: of('instance')[0],
    grant: of('grant')[0],
    heat: of('heat'),
    servers: of('server'),
    ports: of('port'),
    floating: of('floating'),
    volumes: of('volume'),
    doubts: doubtsOf(nodes, of),
    files: texts.map(({ file }) => file),
    all: nodes,
  });
}

type NodesOfKind = (kind: DocumentKind) => readonly ForeignNode[];

const doubtsOf = (nodes: readonly ForeignNode[], of: NodesOfKind): Problems => [
  ...nodes.flatMap(repeatedKeys),
  ...singles
    .flatMap((kind) => of(kind).filter((node) => node !== readOf(of(kind))))
    .map(({ place }) =>
      doubtAt(place, 'another file of this kind is read, and this one ignored', 'remove one of the two'),
    ),
  ...nodes
    .filter(isEmpty)
    .map(({ place }) => doubtAt(place, 'this list is empty', 'list it again with the right project')),
];

type DocumentKind =
  | 'request'
  | 'operation'
  | 'instance'
  | 'grant'
  | 'heat'
  | 'server'
  | 'port'
  | 'floating'
  | 'volume'
  | 'unknown';

const singles = ['request', 'instance', 'grant'] as const;

/** The rows of a list, and of an answer of a REST API that wraps one; the request of an operation's record. */
function unwrap(node: ForeignNode): readonly ForeignNode[] {
  if (node.kind === 'list') return node.items;
  const inner = wrappers.map((name) => field(node, name)).find((each) => each?.kind === 'list');
  return inner ? itemsOf(inner) : [requestOf(node)];
}

/** The request itself where Tacker shows the record of an operation (`vnf_lcm_op_occs`), of either API or its client. */
export function requestOf(node: ForeignNode): ForeignNode {
  const request = entry(node, 'operationState') && field(node, 'operationParams', 'operationParameters');
  return request?.kind === 'map' && request.entries.length > 0 ? request : node;
}

/** A request that changes connections of a VNF has most keys of one that makes it. */
const readOf = (nodes: readonly ForeignNode[]): ForeignNode | undefined =>
  nodes.find(describesCluster) ?? nodes[0];

const describesCluster = (node: ForeignNode): boolean =>
  entry(node, 'k8s_cluster_installation_param') !== undefined ||
  fieldAt(node, 'additionalParams', 'k8s_cluster_installation_param') !== undefined;

const wrappers = ['resources', 'servers', 'ports', 'floatingips', 'volumes'];

const isEmpty = (node: ForeignNode): boolean => node.kind === 'list' && node.items.length === 0;

/** The first kind one of whose keys is there. */
function kindOf(node: ForeignNode): DocumentKind {
  const has = (...names: readonly string[]): boolean => entry(node, ...names) !== undefined;
  if (has('instantiatedVnfInfo', 'instantiationState')) return 'instance';
  if (has('addResources', 'vnfLcmOpOccId', 'updateResources')) return 'grant';
  if (has('flavourId', 'k8s_cluster_installation_param')) return 'request';
  if (has('vnfcInstanceId', 'terminationType', 'cause', 'numberOfSteps', 'scaleLevel', 'aspectId'))
    return 'operation';
  if (has('additionalParams', 'extVirtualLinks')) return 'request';
  return kindOfResource(has);
}

function kindOfResource(has: (...names: readonly string[]) => boolean): DocumentKind {
  if (has('resource_name', 'resource_type')) return 'heat';
  if (has('floating_ip_address')) return 'floating';
  if (has('fixed_ip_addresses', 'fixed_ips')) return 'port';
  if (has('networks', 'addresses')) return 'server';
  return has('attached_to', 'attachments') ? 'volume' : 'unknown';
}

const strange = ({ place }: ForeignNode): Problems[number] =>
  wrongAt(
    { ...place, length: 1 },
    'nothing in this file tells what it is',
    'a request or instance of Tacker, resources of Heat, or `openstack server|port|floating ip|volume list -f json`',
  );

const operation = ({ place }: ForeignNode): Problems[number] =>
  wrongAt(
    { ...place, length: 1 },
    'this request changes a cluster and describes none',
    '--operation with this file',
  );
