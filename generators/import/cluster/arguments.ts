import { ownedArguments } from '../../definition/schema/kubespray/owned.ts';
import { encryptionFile } from '../../phases/kubeadm/api-server.ts';
import { fieldAt, itemsOf, textAt, textOf } from '../../source/foreign/look.ts';
import { doubtAt, wrongAt, type ForeignNode, type TextPlace } from '../../source/foreign/node.ts';
import type { Problem } from '../../source/problem.ts';
import { joinParts, part, type ImportPart } from '../part.ts';
import { nameOf, type Objects } from './objects.ts';
import { podPartProblems } from './pod-parts.ts';
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
  const values = new Map(told.map((each) => [each.name, each.value]));
  const strange = running.flatMap(({ pod, found }) =>
    found
      .filter((each) => !isUsual(component, each, kubeadm) && values.get(each.name) !== each.value)
      .map((each) => ({ ...each, pod })),
  );
  const byHand = strange.filter((each) => !isOwned(each));
  const common = commonTo(
    running.length,
    byHand.filter(({ name }) => !values.has(name)),
  );
  return part({
    pieces: [...told.filter((each) => !isOwned(each)), ...common.values()].map(({ name, value, place }) => ({
      ...{ path: ['installer', 'kubeadm', 'extraArguments', component, name], value, place },
    })),
    problems: [
      ...[...told, ...strange].filter(isOwned).map((each) => ownedProblem(component, each)),
      ...byHand.map((each) => handProblem(each, common.has(each.name))),
      ...running.flatMap((each) => missing(told, each)),
      ...running.flatMap(({ node }) => podPartProblems(node, fieldAt(kubeadm, ...at))),
    ],
  });
}

/** Those that every one of so many control planes has with the same value, by their names. */
const commonTo = (size: number, found: readonly ArgumentAtPlace[]): ReadonlyMap<string, ArgumentAtPlace> =>
  new Map(
    found
      .filter(
        (each) =>
          found.filter(({ name, value }) => name === each.name && value === each.value).length === size,
      )
      .map((each) => [each.name, each]),
  );

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
  { name, value, place, pod }: ArgumentAtPlace,
): Problem {
  const why = (ownedArguments[component] as Readonly<Record<string, string>>)[name] ?? '';
  const where = pod === undefined ? '' : ` of ${pod}`;
  const say = component === 'etcd' && /^(?:data|wal)-dir$/.test(name) ? wrongAt : doubtAt;
  return say(
    place,
    `--${name}=${value}${where} is not taken over: ${why}`,
    remedies.find(([pattern]) => pattern.test(`${name}=${value}`))?.[1] ??
      'a definition that does without it: the first run ends it',
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

const handProblem = ({ name, value, place, pod = '' }: ArgumentAtPlace, isTaken: boolean): Problem =>
  doubtAt(
    place,
    `${pod} runs with --${name}=${value}, which kubeadm does not know of: the next upgrade ends it`,
    isTaken
      ? 'nothing to do: every control plane has it, so the definition does too'
      : 'the same on every control plane',
  );

/** What kubeadm was told and a node never heard. */
const missing = (
  told: readonly ArgumentAtPlace[],
  {
    pod,
    place,
    found,
  }: { readonly pod: string; readonly place: TextPlace; readonly found: readonly ArgumentAtPlace[] },
): readonly Problem[] =>
  told
    .filter(({ name }) => !found.some((each) => each.name === name))
    .map(({ name, value }) =>
      doubtAt(
        place,
        `${pod} runs without --${name}=${value}, which kubeadm was told`,
        'a control plane that was made after kubeadm was told, or upgraded since',
      ),
    );

/** The port of the API servers themselves. */
export function portOf({ pods }: Objects): number {
  const server = pods.find((pod) => textAt(pod, 'metadata', 'labels', 'component') === 'kube-apiserver');
  const port = server && commandOf(server).find(({ name }) => name === 'secure-port')?.value;
  return Number(port ?? 6443);
}
