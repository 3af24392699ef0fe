import { etcdStepTo } from '../../../catalog/kubernetes/etcd.ts';
import { featureGate } from '../../../catalog/kubernetes/feature-gates.ts';
import {
  kubeletFieldSince,
  proxyMode,
  removedAdmissionPlugin,
  removedArgument,
  type RemovedKind,
} from '../../../catalog/kubernetes/removed.ts';
import { minorOf } from '../../../catalog/kubernetes/version.ts';
import { problemAt, keyProblemAt, warning, type Finding, type Path } from '../../../source/finding.ts';
import type { DraftNode } from '../../derived.ts';
import type { Facts } from '../facts.ts';
import { gatePairs } from './gate-pairs.ts';

/** What the programs of this release of Kubernetes would refuse to start with. */
export function removedSettings({ draft, nodes }: Facts): readonly Finding[] {
  const kubeadm = draft.installer?.kubeadm;
  if (kubeadm?.version === undefined) return [];
  const minor = minorOf(kubeadm.version);
  return [
    ...programs.flatMap((program) => argumentsOf(program, kubeadm.extraArguments?.[program], minor)),
    ...kubelet(kubeadm.kubelet, { minor, at: [...base, 'kubelet'] }),
    ...nodes.flatMap(({ written, path }) =>
      kubelet((written as DraftNode).kubelet, { minor, at: [...path, 'kubelet'] }),
    ),
    ...kubeProxy(kubeadm.kubeProxy, minor),
  ];
}

const programs = ['apiServer', 'controllerManager', 'scheduler', 'etcd'] as const;

const base = ['installer', 'kubeadm'] as const;

function argumentsOf(
  program: (typeof programs)[number],
  given: Readonly<Record<string, unknown>> | undefined,
  minor: number,
): Finding[] {
  return Object.entries(given ?? {}).flatMap(([name, value]) => {
    const path = [...base, 'extraArguments', program, name];
    const text = typeof value === 'string' ? value : '';
    return [
      ...removalFinding(path, `\`${name}\``, { fact: removedArgument(program, name), minor, program }),
      ...(name === 'feature-gates' && program !== 'etcd' ? gates(path, pairsOf(text), minor) : []),
      ...(admission.includes(name) ? plugins(path, text, minor) : []),
    ];
  });
}

const admission = ['enable-admission-plugins', 'disable-admission-plugins', 'admission-control'];

const removalFinding = (path: Path, what: string, { fact, minor, program }: Removal): Finding[] =>
  fact && fact.since <= minor
    ? [
        keyProblemAt(
          path,
          program === 'etcd'
            ? `${what} was removed in etcd ${etcdStepTo(fact.since).line}, and Kubernetes 1.${minor} comes with ${etcdStepTo(minor).line}`
            : `${what} was removed in Kubernetes 1.${fact.since}`,
          fact.instead,
        ),
      ]
    : [];

interface Removal {
  readonly fact: RemovedKind | undefined;
  readonly minor: number;
  readonly program?: (typeof programs)[number];
}

const plugins = (path: Path, text: string, minor: number): Finding[] =>
  text.split(',').flatMap((name) => {
    const fact = removedAdmissionPlugin(name.trim());
    return removalFinding(path, `the admission plugin ${name.trim()}`, { fact, minor });
  });

/** `A=true,B=false`; what says neither is told elsewhere. */
const pairsOf = (text: string): readonly (readonly [string, boolean])[] =>
  gatePairs(text).flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]));

function gates(path: Path, given: readonly (readonly [string, unknown])[], minor: number): Finding[] {
  return given.flatMap(([name, value]) => {
    const fact = featureGate(name);
    if (!fact) return [];
    const { goneSince, lockedSince, lockedTo } = fact;
    if (goneSince > 0 && goneSince <= minor)
      return [
        problemAt(
          path,
          `the feature gate ${name} was removed in Kubernetes 1.${goneSince}`,
          withoutGate(lockedSince, lockedTo),
        ),
      ];
    if (lockedSince === 0 || lockedSince > minor || value === lockedTo) return [];
    return [
      problemAt(
        path,
        `the feature gate ${name} is always ${lockedTo ? 'true' : 'false'} in Kubernetes 1.${minor}`,
        'leave it out',
      ),
    ];
  });
}

const withoutGate = (lockedSince: number, lockedTo: boolean): string =>
  lockedSince === 0 ? 'leave it out' : `leave it out: it is always ${lockedTo ? 'on' : 'off'}`;

function kubelet(
  given: Readonly<Record<string, unknown>> | undefined,
  { minor, at }: { readonly minor: number; readonly at: Path },
): Finding[] {
  return Object.entries(given ?? {}).flatMap(([field, value]) => {
    const path = [...at, field];
    if (field === 'featureGates') return gatesOf(path, value, minor);
    const since = kubeletFieldSince(field);
    return since > minor
      ? [
          keyProblemAt(
            path,
            `the kubelet of 1.${minor} does not know \`${field}\``,
            `Kubernetes 1.${since} or later, or remove the key`,
          ),
        ]
      : [];
  });
}

/** Each gate has a place of its own in a mapping. */
const gatesOf = (path: Path, value: unknown, minor: number): Finding[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap((pair) => gates([...path, pair[0]], [pair], minor))
    : [];

function kubeProxy(given: ProxySettings | undefined, minor: number): Finding[] {
  const path = [...base, 'kubeProxy'];
  const { featureGates, mode } = given ?? {};
  return [
    ...gatesOf([...path, 'featureGates'], featureGates, minor),
    ...(typeof mode === 'string' ? modeOf([...path, 'mode'], mode, minor) : []),
  ];
}

interface ProxySettings {
  readonly featureGates?: unknown;
  readonly mode?: unknown;
}

function modeOf(path: Path, mode: string, minor: number): Finding[] {
  const fact = proxyMode(mode);
  if (!fact || minor < fact.deprecatedSince) return [];
  const right = `mode: ${fact.instead}`;
  if (minor >= fact.goneSince)
    return [
      problemAt(path, `the mode ${mode} of kube-proxy was removed in Kubernetes 1.${fact.goneSince}`, right),
    ];
  const off = fact.offSince > 0 ? `, off by itself from 1.${fact.offSince} on` : '';
  return [
    warning(
      path,
      `the mode ${mode} of kube-proxy is deprecated since Kubernetes 1.${fact.deprecatedSince}${off} and removed in 1.${fact.goneSince}`,
      right,
    ),
  ];
}
