import { ownedArguments } from '../../definition/schema/kubespray/owned.ts';
import { encryptionFile } from '../../phases/kubeadm/api-server.ts';
import { fieldAt, itemsOf, textAt, textOf } from '../../source/foreign/look.ts';
import { doubtAt, wrongAt, type ForeignNode, type TextPlace } from '../../source/foreign/node.ts';
import type { Problem } from '../../source/problem.ts';
import { groupBy, someOf } from '../machines.ts';
import { joinParts, part, type ImportPart } from '../part.ts';
import { nameOf, type Objects } from './objects.ts';
import { mountsOf, podPartProblems, toldPartProblems, type Mount } from './pod-parts.ts';
import { isUsual, type ControlPlaneComponent } from './usual-arguments.ts';

const components: readonly {
  readonly component: ControlPlaneComponent;
  readonly program: string;
  readonly at: readonly string[];
}[] = [
  { component: 'apiServer', program: 'kube-apiserver', at: ['apiServer'] },
  { component: 'controllerManager', program: 'kube-controller-manager', at: ['controllerManager'] },
  { component: 'scheduler', program: 'kube-scheduler', at: ['scheduler'] },
  { component: 'etcd', program: 'etcd', at: ['etcd', 'local'] },
];

/** Arguments of the control plane: what kubeadm was told, and what runs on each node without its knowing. */
export const argumentsPart = (objects: Objects): ImportPart =>
  joinParts([
    ...components.map((each) => componentPart(objects, each)),
    part({ problems: objects.pods.length === 0 ? [doubtAt(objects.kubeadm.place, ...unseen)] : [] }),
  ]);

const unseen = [
  'no static pod is among these objects: what control planes run with, and kubeadm does not know of, is not seen',
  'what `kubectl get pods --namespace kube-system --selector tier=control-plane --output json` prints',
] as const;

/** An argument, and where it was found. */
interface ArgumentAtPlace {
  readonly name: string;
  readonly value: string;
  readonly place: TextPlace;
  /** Of which static pod; kubeadm's configuration says it when left out. */
  readonly pod?: string;
  /** Of which static pods, where several are told of at once. */
  readonly pods?: readonly string[];
}

function componentPart(
  { kubeadm, pods }: Objects,
  { component, program, at }: (typeof components)[number],
): ImportPart {
  const told = toldIn(fieldAt(kubeadm, ...at, 'extraArgs'));
  const running = pods
    .filter((pod) => textAt(pod, 'metadata', 'labels', 'component') === program)
    .map((node) => ({ node, pod: nameOf(node), place: node.place, found: commandOf(node) }));
  const isOwned = ({ name }: ArgumentAtPlace): boolean => Object.hasOwn(ownedArguments[component], name);
  const isTold = (each: ArgumentAtPlace): boolean => told.some((other) => wordOf(other) === wordOf(each));
  const strange = running.flatMap(({ pod, found }) =>
    found
      .filter((each) => !isUsual(component, each, kubeadm) && !isTold(each))
      .map((each) => ({ ...each, pod })),
  );
  const byHand = strange.filter((each) => !isOwned(each));
  const common = commonTo(
    running.length,
    byHand.filter(({ name }) => !told.some((each) => each.name === name)),
  );
  const taken = [...told.filter((each) => !isOwned(each)), ...common.values()];
  const spec = fieldAt(kubeadm, ...at);
  return part({
    pieces: taken.map(({ name, value, place }) => ({
      ...{ path: ['installer', 'kubeadm', 'extraArguments', component, name], value, place },
    })),
    problems: [
      ...taken.filter((each) => isAgain(each, taken)).map(again),
      ...taken.flatMap((each) => outOfReach(each, mountsOf(running, spec))),
      ...toldPartProblems(program, spec),
      ...told.filter(isOwned).map((each) => ownedProblem(component, each)),
      ...alike(strange.filter(isOwned)).map((each) => ownedProblem(component, each)),
      ...alike(byHand).map((each) => handProblem(each, common.has(wordOf(each)))),
      ...alike(
        running.flatMap((each) =>
          missing(
            told.filter((one) => !isOwned(one)),
            each,
          ),
        ),
      ).map(unheard),
      ...podPartProblems(
        running.map(({ node }) => node),
        spec,
      ),
    ],
  });
}

/** Those that every one of so many control planes has with the same value. */
const commonTo = (size: number, found: readonly ArgumentAtPlace[]): ReadonlyMap<string, ArgumentAtPlace> =>
  new Map(
    found
      .filter((each) => found.filter((other) => wordOf(other) === wordOf(each)).length === size)
      .map((each) => [wordOf(each), each]),
  );

/** One for all pods with the same argument. */
const alike = (found: readonly ArgumentAtPlace[]): readonly ArgumentAtPlace[] =>
  [...groupBy(found, wordOf).values()].flatMap((all) => {
    const [first] = all;
    return first ? [{ ...first, pods: all.flatMap(({ pod }) => pod ?? []) }] : [];
  });

/** `kube-scheduler-cp1 runs`, `kube-scheduler-cp1, kube-scheduler-cp2 run`. */
const run = (pods: readonly string[] = []): string => `${someOf(pods)} ${pods.length === 1 ? 'runs' : 'run'}`;

const wordOf = ({ name, value }: ArgumentAtPlace): string => `--${name}=${value}`;

/** `extraArgs`: a list of names and values since v1beta4 of kubeadm's configuration, a mapping before. */
const toldIn = (node: ForeignNode | undefined): readonly ArgumentAtPlace[] =>
  node?.kind === 'map'
    ? node.entries.map(({ key, keyPlace, value }) => ({
        name: key,
        value: textOf(value) ?? '',
        place: keyPlace,
      }))
    : itemsOf(node).map((each) => ({
        name: textAt(each, 'name') ?? '',
        value: textAt(each, 'value') ?? '',
        place: each.place,
      }));

function commandOf(pod: ForeignNode): readonly ArgumentAtPlace[] {
  const [container] = itemsOf(fieldAt(pod, 'spec', 'containers'));
  return itemsOf(fieldAt(container, 'command')).flatMap((word) => {
    const [, name, value = 'true'] = /^--([\w-]+)(?:=(.*))?$/s.exec(textOf(word) ?? '') ?? [];
    return name === undefined ? [] : [{ name, value, place: word.place }];
  });
}

/** What is said of an argument that a definition does not take: where etcd's data lie, none of the playbooks could be told. */
function ownedProblem(
  component: ControlPlaneComponent,
  { name, value, place, pods }: ArgumentAtPlace,
): Problem {
  const why = (ownedArguments[component] as Readonly<Record<string, string>>)[name] ?? '';
  const where = pods === undefined ? '' : ` of ${someOf(pods)}`;
  const say = component === 'etcd' && /^(?:data|wal)-dir$/.test(name) ? wrongAt : doubtAt;
  return say(
    place,
    `--${name}=${value}${where} is not taken over: ${why}`,
    remedies.find(([pattern]) => pattern.test(`${name}=${value}`))?.[1] ??
      'nothing to do if the cluster can do without it: the first run removes it',
  );
}

/** What to do about an argument, by its name and value. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(`^encryption-provider-config=${encryptionFile}$`),
    '`encryption` with the key of the definition that made this cluster: Secrets cannot be read without it',
  ],
  [
    /^encryption-/,
    'Secrets that are stored readable and API servers without it before anything is run, as docs/import.md says; then `encryption`',
  ],
  [/^audit-/, '`audit` of kubeadm: the first run ends what only this argument asks for'],
  [/^(?:data|wal)-dir=/, 'members of etcd whose data lie in /var/lib/etcd'],
];

const handProblem = ({ name, value, place, pods }: ArgumentAtPlace, isTaken: boolean): Problem =>
  doubtAt(
    place,
    `${run(pods)} with --${name}=${value}, which kubeadm does not know of: the next upgrade ends it`,
    isTaken
      ? 'nothing to do: every control plane has it, so the definition does too'
      : 'the same on every control plane',
  );

const isAgain = (each: ArgumentAtPlace, all: readonly ArgumentAtPlace[]): boolean =>
  wordOf(all.find(({ name }) => name === each.name) ?? each) !== wordOf(each);

/** kubeadm's configuration may say an argument several times, since v1beta4; which of its values counts is the component's own affair. */
const again = ({ name, value, place }: ArgumentAtPlace): Problem =>
  wrongAt(
    place,
    `--${name} is listed twice, and a definition has each argument once: --${name}=${value} would be the only one`,
    'each argument once, in kubeadm-config and on every control plane',
  );

/** A file in a folder that only a volume of somebody's own brings into the pod. */
const outOfReach = ({ name, value, place }: ArgumentAtPlace, mounts: readonly Mount[]): readonly Problem[] =>
  mounts
    .filter(({ path }) => value === path || value.startsWith(`${path.replace(/\/$/, '')}/`))
    .slice(0, 1)
    .map(({ volume }) =>
      wrongAt(
        place,
        `--${name}=${value} lies in the volume ${volume}, which no key of a definition says: without it the pod does not start`,
        'the file in /etc/kubernetes/pki, which every pod of the control plane sees, and the argument with its path there',
      ),
    );

/** What kubeadm was told and a node never heard. */
const missing = (
  told: readonly ArgumentAtPlace[],
  {
    pod,
    place,
    found,
  }: Pick<ArgumentAtPlace, 'place'> & { readonly pod: string; readonly found: readonly ArgumentAtPlace[] },
): readonly ArgumentAtPlace[] =>
  told
    .filter(({ name }) => !found.some((each) => each.name === name))
    .map(({ name, value }) => ({ name, value, place, pod }));

const unheard = ({ name, value, place, pods }: ArgumentAtPlace): Problem =>
  doubtAt(
    place,
    `${run(pods)} without --${name}=${value}, which kubeadm was told`,
    'nothing to do if it is wanted: the definition has it, and the first run adds it; else take it out of `extraArguments` and of kubeadm-config',
  );

/** The port of the API servers themselves. */
export function portOf({ pods }: Objects): number {
  const server = pods.find((pod) => textAt(pod, 'metadata', 'labels', 'component') === 'kube-apiserver');
  const port = server && commandOf(server).find(({ name }) => name === 'secure-port')?.value;
  return Number(port ?? 6443);
}
