import type { Cluster, Cnf } from '../../../cluster/cluster.ts';
import type { Problems } from '../../../source/problem.ts';
import { failed, ok, type Result } from '../../../result.ts';
import { entry, field, fieldAt, itemsOf, textAt, textOf } from '../../../source/foreign/look.ts';
import { wrongAt, type ForeignNode } from '../../../source/foreign/node.ts';
import { cnfPiece } from './cnf-piece.ts';
import type { Commands } from '../commands.ts';
import type { Documents } from '../documents.ts';
import { healProblem } from '../heal-request.ts';
import { isOfCnf, vnfcsOf, type Vnfc } from '../instance.ts';

type CnfCommandsResult = Result<Commands, Problems>;

/** What a request about a CNF asks for, in the words of Playsmith; undefined: it is about a cluster. */
export function cnfCommands(
  operation: ForeignNode,
  { instance }: Documents,
  cluster: Cluster,
): CnfCommandsResult | undefined {
  const parameters = field(operation, 'additionalParams') ?? keptParameters(operation);
  if (isOfCnf(operation) && parameters) return ok(cnfPiece(parameters, operation));
  if (isMade(parameters))
    return entry(operation, 'flavourId') || !entry(operation, 'vnfdId')
      ? ok(cnfPiece(parameters, instance))
      : updateCommand(operation, instance, cluster);
  if (entry(operation, 'scaleInfo')) return toLevel(operation, instance, cluster);
  if (entry(operation, 'aspectId')) return scaleCommand(operation, instance, cluster);
  if (!isOfCnf(instance)) return undefined;
  return about(operation, instance, cluster, (cnf) =>
    entry(operation, 'terminationType')
      ? ok({
          commands: [`npx task cnf-terminate ${cnf.name} --confirm ${cnf.name}`],
          notes: [
            'its claims are deleted too; take it out of `cnfs` afterwards, or let npx task apply do both',
          ],
        })
      : healCommand(operation, instance, cnf),
  );
}

const isMade = (parameters: ForeignNode | undefined): parameters is ForeignNode =>
  entry(parameters, 'lcm-kubernetes-def-files', 'helm_chart_path', 'using_helm_install_param') !== undefined;

/** What an instance keeps of the request that made it: the first API beside the rest, the second among the metadata. */
const keptParameters = (instance: ForeignNode): ForeignNode | undefined =>
  fieldAt(instance, 'instantiatedVnfInfo', 'additionalParams') ??
  fieldAt(instance, 'instantiatedVnfInfo', 'metadata');

/** The first API keeps the namespace beside the instance, the second inside. */
const namespaceOf = (instance: ForeignNode | undefined): string | undefined =>
  textAt(instance, 'metadata', 'namespace') ??
  textAt(instance, 'instantiatedVnfInfo', 'metadata', 'namespace');

/** As Kubernetes names pods: the name goes into a command that somebody pastes. */
const podOf = ({ server }: Vnfc): string | undefined =>
  /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(server) ? server : undefined;

/** The one CNF of the definition that the instance is: by its namespace, then by the names of its pods. */
function about(
  operation: ForeignNode,
  instance: ForeignNode | undefined,
  { cnfs }: Cluster,
  then: (cnf: Cnf) => CnfCommandsResult,
): CnfCommandsResult {
  const namespace = namespaceOf(instance);
  const inIt = cnfs.all.filter((cnf) => namespace === undefined || cnf.namespace === namespace);
  const pods = vnfcsOf(instance).flatMap((each) => podOf(each) ?? []);
  const having = inIt.filter(({ objects }) =>
    objects.some(({ metadata }) => {
      const { name } = metadata as { readonly name: string };
      return pods.some((pod) => pod === name || pod.startsWith(`${name}-`));
    }),
  );
  const [found, ...more] = pods.length > 0 ? having : inIt;
  if (found !== undefined && more.length === 0) return then(found);
  const names = inIt.map(({ name }) => name).join(' or ');
  const wrong =
    inIt.length === 0
      ? `no CNF of the definition lives in ${namespace ?? 'any namespace'}`
      : found === undefined
        ? `the pods of this instance are of another CNF than ${names}`
        : `nothing tells which CNF is meant: ${names}`;
  return failed([
    wrongAt(
      { ...operation.place, length: 1 },
      wrong,
      found === undefined
        ? 'the CNF below `cnfs` of the definition'
        : `GET /vnf_instances/{id} beside the request`,
    ),
  ]);
}

function healCommand(operation: ForeignNode, instance: ForeignNode | undefined, cnf: Cnf): CnfCommandsResult {
  const problem = healProblem(operation, 'cnf');
  if (problem !== undefined) return failed([problem]);
  const asked = field(operation, 'vnfcInstanceId');
  const ids = [...(asked?.kind === 'scalar' ? [asked] : itemsOf(asked))];
  if (ids.length === 0)
    return ok({
      commands: [`npx task cnf-heal ${cnf.name}`],
      notes: ['all its workloads are recreated; claims stay'],
    });
  const found = ids.map((node) => {
    const id = textOf(node) ?? '';
    const vnfc = vnfcsOf(instance).find((each) => each.ids.includes(id));
    return { node, pod: vnfc && podOf(vnfc) };
  });
  const missing = found.filter(({ pod }) => pod === undefined);
  if (missing.length > 0)
    return failed(
      missing.map(({ node }) =>
        wrongAt(node.place, `the instance has no VNFC ${textOf(node) ?? ''}`, 'an instance of the same day'),
      ),
    );
  const pods = found.map(({ pod }) => `--pod ${pod ?? ''}`);
  return ok({
    commands: [`npx task cnf-heal ${cnf.name} ${pods.join(' ')}`],
    notes: ['pods have other names once they were recreated: see npx task cnf-status'],
  });
}

/** Digits: the number goes into a command that somebody pastes. */
const numberAt = (node: ForeignNode, name: string): string | undefined => {
  const text = textAt(node, name);
  return text !== undefined && /^\d{1,4}$/.test(text) ? text : undefined;
};

/** CNFs of the definition that have the aspect, in the namespace of the instance where that is known. */
function havingAspect(
  { cnfs }: Cluster,
  instance: ForeignNode | undefined,
  aspect: string | undefined,
): readonly Cnf[] {
  const namespace = namespaceOf(instance);
  return cnfs.all.filter(
    (cnf) =>
      (namespace === undefined || cnf.namespace === namespace) &&
      cnf.scaling.some((each) => each.aspect === aspect),
  );
}

const manyHave = ({ place }: ForeignNode, aspect: string | undefined): Problems[number] =>
  wrongAt(
    { ...place, length: 1 },
    `several CNFs have the aspect ${aspect ?? ''}`,
    'GET /vnf_instances/{id} beside the request',
  );

/** Undefined where no CNF has the aspect: the workers of a cluster are scaled by one as well. */
function scaleCommand(
  operation: ForeignNode,
  instance: ForeignNode | undefined,
  cluster: Cluster,
): CnfCommandsResult | undefined {
  const aspect = textAt(operation, 'aspectId');
  const [found, ...more] = havingAspect(cluster, instance, aspect);
  if (found === undefined) return undefined;
  const type = textAt(operation, 'type')?.toUpperCase();
  const place = { ...operation.place, length: 1 };
  if (more.length > 0) return failed([manyHave(operation, aspect)]);
  if (type !== 'SCALE_OUT' && type !== 'SCALE_IN')
    return failed([wrongAt(place, 'the type of a ScaleVnfRequest is wrong', 'SCALE_OUT or SCALE_IN')]);
  const steps = textAt(operation, 'numberOfSteps') ?? '1';
  const direction = type === 'SCALE_OUT' ? 'out' : 'in';
  return ok({
    commands: [`npx task cnf-scale ${found.name} --aspect ${aspect ?? ''} --${direction} ${steps}`],
    notes: [],
  });
}

function toLevel(
  operation: ForeignNode,
  instance: ForeignNode | undefined,
  cluster: Cluster,
): CnfCommandsResult {
  const read = itemsOf(field(operation, 'scaleInfo')).map((node) => {
    const aspect = textAt(node, 'aspectId');
    const [cnf, ...more] = havingAspect(cluster, instance, aspect);
    return { node, aspect, level: numberAt(node, 'scaleLevel'), cnf, isOne: more.length === 0 };
  });
  const unclear = read.filter(({ isOne }) => !isOne);
  if (unclear.length > 0) return failed(unclear.map(({ node, aspect }) => manyHave(node, aspect)));
  const missing = read.filter(({ cnf, level }) => cnf === undefined || level === undefined);
  if (missing.length > 0 || read.length === 0)
    return failed(
      (missing.length > 0 ? missing.map(({ node }) => node) : [operation]).map((node) =>
        wrongAt(
          { ...node.place, length: 1 },
          'no CNF of the definition has this aspect',
          'an aspect of `scaling`, with a scaleLevel',
        ),
      ),
    );
  return ok({
    commands: read.map(
      ({ cnf, aspect, level }) =>
        `npx task cnf-scale ${cnf?.name ?? ''} --aspect ${aspect ?? ''} --level ${level ?? ''}`,
    ),
    notes: [],
  });
}

const updateCommand = (
  operation: ForeignNode,
  instance: ForeignNode | undefined,
  cluster: Cluster,
): CnfCommandsResult =>
  about(operation, instance, cluster, ({ name }) => {
    const { notes } = cnfPiece(field(operation, 'additionalParams') ?? operation, instance);
    return ok({
      commands: [`npx task cnf-update ${name}`],
      notes: [`first let ${name} have what the new package has:`, ...notes.slice(1)],
    });
  });
