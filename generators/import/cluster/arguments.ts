import { ownedArguments } from '../../definition/schema/kubespray/owned.ts';
import { fieldAt, itemsOf, textAt, textOf } from '../../source/foreign/look.ts';
import { doubtAt, type ForeignNode, type TextPlace } from '../../source/foreign/node.ts';
import type { Problem } from '../../source/problem.ts';
import { joinParts, part, type ImportPart } from '../part.ts';
import { nameOf, type Objects } from './objects.ts';

type ComponentName = keyof typeof ownedArguments;

const components: readonly {
  readonly component: ComponentName;
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
  joinParts(components.map((each) => componentPart(objects, each)));

/** An argument, and where it was found. */
interface ArgumentAtPlace {
  readonly name: string;
  readonly value: string;
  readonly place: TextPlace;
}

function componentPart(
  { kubeadm, pods }: Objects,
  { component, program, at }: (typeof components)[number],
): ImportPart {
  const told = toldIn(fieldAt(kubeadm, ...at, 'extraArgs'));
  const running = pods
    .filter((pod) => textAt(pod, 'metadata', 'labels', 'component') === program)
    .map((pod) => ({ pod: nameOf(pod), place: pod.place, found: commandOf(pod) }));
  const isOwned = ({ name }: ArgumentAtPlace): boolean => Object.hasOwn(ownedArguments[component], name);
  const values = new Map(told.map((each) => [each.name, each.value]));
  const byHand = running.flatMap(({ pod, found }) =>
    found
      .filter((each) => !isOwned(each) && !isUsual(component, each) && values.get(each.name) !== each.value)
      .map((each) => ({ ...each, pod })),
  );
  const everywhere = byHand.filter(
    (each) =>
      !values.has(each.name) &&
      byHand.filter(({ name, value }) => name === each.name && value === each.value).length ===
        running.length,
  );
  const common = new Map(everywhere.map((each) => [each.name, each]));
  return part({
    pieces: [...told.filter((each) => !isOwned(each)), ...common.values()].map(({ name, value, place }) => ({
      ...{ path: ['installer', 'kubeadm', 'extraArguments', component, name], value, place },
    })),
    problems: [
      ...told.filter(isOwned).flatMap((each) => ownedProblem(component, each)),
      ...byHand.map((each) => handProblem(each, common.has(each.name))),
      ...running.flatMap(({ pod, place, found }) => missing(told, { pod, place, found })),
    ],
  });
}

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

/**
 * Arguments that kubeadm gives without being told. Source: cmd/kubeadm/app/phases/controlplane and util/etcd of k8s.io/kubernetes
 * 1.31 to 1.37. Read on 2026-11-25.
 */
const usual: Readonly<Record<ComponentName, Readonly<Record<string, RegExp>>>> = {
  apiServer: {
    'allow-privileged': /^true$/,
    'authorization-mode': /^Node,RBAC$/,
    'enable-admission-plugins': /^NodeRestriction$/,
    'kubelet-preferred-address-types': /^InternalIP,ExternalIP,Hostname$/,
    'requestheader-allowed-names': /^front-proxy-client$/,
    'requestheader-extra-headers-prefix': /^X-Remote-Extra-$/,
    'requestheader-group-headers': /^X-Remote-Group$/,
    'requestheader-username-headers': /^X-Remote-User$/,
    'service-account-issuer': /^https:\/\/kubernetes\.default\.svc\.cluster\.local$/,
  },
  controllerManager: { 'bind-address': /^127\.0\.0\.1$/, controllers: /^\*,bootstrapsigner,tokencleaner$/ },
  scheduler: { 'bind-address': /^127\.0\.0\.1$/ },
  etcd: {
    'snapshot-count': /^10000$/,
    'feature-gates': /^InitialCorruptCheck=true$/,
    'watch-progress-notify-interval': /^5s$/,
    'experimental-initial-corrupt-check': /^true$/,
    'experimental-watch-progress-notify-interval': /^5s$/,
  },
};

const isUsual = (component: ComponentName, { name, value }: ArgumentAtPlace): boolean =>
  usual[component][name]?.test(value) === true;

/** Owned arguments are never told to kubeadm without a reason. */
function ownedProblem(component: ComponentName, { name, value, place }: ArgumentAtPlace): readonly Problem[] {
  const why = (ownedArguments[component] as Readonly<Record<string, string>>)[name] ?? '';
  return [
    doubtAt(
      place,
      `--${name}=${value} is not taken over: ${why}`,
      name === 'encryption-provider-config'
        ? '`encryption` with the key of that file, before anything is run: Secrets cannot be read without it'
        : 'the key of the definition that says the same',
    ),
  ];
}

const handProblem = (
  { name, value, place, pod }: ArgumentAtPlace & { readonly pod: string },
  isTaken: boolean,
): Problem =>
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
