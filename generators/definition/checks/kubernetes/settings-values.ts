import { kubeletType, type KubeletType } from '../../../catalog/kubernetes/kubelet-types.ts';
import { proxyMode } from '../../../catalog/kubernetes/removed.ts';
import { problemAt, type Finding, type Path } from '../../../source/finding.ts';
import { nearest } from '../../../source/nearest.ts';
import type { DraftNode } from '../../derived.ts';
import type { Facts } from '../facts.ts';
import { gatePairs } from './gate-pairs.ts';

/** Values with which a program of Kubernetes would not start, although it knows their keys. */
export function settingsValues({ draft, nodes }: Facts): readonly Finding[] {
  const kubeadm = draft.installer?.kubeadm;
  if (!kubeadm) return [];
  return [
    ...programs.flatMap((program) => gateTexts(kubeadm.extraArguments?.[program], program)),
    ...admission(kubeadm.extraArguments?.apiServer),
    ...kubelet(kubeadm.kubelet, [...base, 'kubelet']),
    ...nodes.flatMap(({ written, path }) => kubelet((written as DraftNode).kubelet, [...path, 'kubelet'])),
    ...kubeProxy(kubeadm.kubeProxy),
    ...(kubeadm.audit?.rules ?? []).flatMap(auditLevel),
  ];
}

type WrittenSettings = Readonly<Record<string, unknown>> | undefined;

const base = ['installer', 'kubeadm'] as const;
const programs = ['apiServer', 'controllerManager', 'scheduler', 'etcd'] as const;

function gateTexts(given: WrittenSettings, program: (typeof programs)[number]): Finding[] {
  const text = given?.['feature-gates'];
  if (typeof text !== 'string') return [];
  return gatePairs(text)
    .filter(({ name, value }) => value === undefined || name === '')
    .map((pair) =>
      problemAt(
        [...base, 'extraArguments', program, 'feature-gates'],
        `${JSON.stringify(pair.text)} does not say of a feature gate whether it is true or false`,
        pair.name === '' ? 'ImageVolume=true' : `${pair.name}=true`,
      ),
    );
}

/** kubeadm gives the API server one plugin, and what the definition says replaces it. */
const usualPlugin = 'NodeRestriction';

function admission(given: WrittenSettings): Finding[] {
  const at = [...base, 'extraArguments', 'apiServer'];
  const off = namesIn(given?.['disable-admission-plugins']);
  const on = namesIn(given?.['enable-admission-plugins']);
  return [
    ...(off?.includes(usualPlugin)
      ? [
          problemAt(
            [...at, 'disable-admission-plugins'],
            `kubeadm enables ${usualPlugin}, and an API server starts with no plugin that is both enabled and disabled`,
            `remove ${usualPlugin}: without it each kubelet could change what belongs to other nodes`,
          ),
        ]
      : []),
    ...(on && !on.includes(usualPlugin)
      ? [
          problemAt(
            [...at, 'enable-admission-plugins'],
            `this replaces the ${usualPlugin} that kubeadm enables, so each kubelet could change what belongs to other nodes`,
            [usualPlugin, ...on].join(','),
          ),
        ]
      : []),
  ];
}

const namesIn = (text: unknown): readonly string[] | undefined =>
  typeof text === 'string'
    ? text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
    : undefined;

const kubelet = (given: WrittenSettings, at: Path): Finding[] =>
  Object.entries(given ?? {}).flatMap(([field, value]) => {
    const type = kubeletType(field);
    return type === undefined || value === undefined || value === null
      ? []
      : typeFaults(value, { type, path: [...at, field], program: 'the kubelet' });
  });

interface TypedField {
  readonly type: KubeletType;
  readonly path: Path;
  readonly program: string;
}

function typeFaults(value: unknown, { type, path, program }: TypedField): Finding[] {
  const name = String(path.at(-1));
  const fault = (right: string): Finding[] => [
    problemAt(path, `${program} does not start with this value of \`${name}\``, right),
  ];
  if (type.kind === 'truth') return typeof value === 'boolean' ? [] : fault(`${name}: true, or false`);
  if (type.kind === 'whole') return isWhole(value, type) ? [] : fault(wholeNumber(type));
  if (typeof value !== 'object' || Array.isArray(value))
    return fault(type.kind === 'truths' ? `${name}: { ImageVolume: true }` : `${name}: { memory: 100Mi }`);
  const wanted = type.kind === 'truths' ? 'boolean' : 'string';
  return Object.entries(value ?? {})
    .filter(([, each]) => typeof each !== wanted && each !== undefined && each !== null)
    .map(([key]) =>
      problemAt(
        [...path, key],
        `${program} does not start with this value of \`${key}\``,
        wanted === 'boolean' ? 'true or false, without quotes' : 'the same in "quotes"',
      ),
    );
}

const isWhole = (
  value: unknown,
  { least, most }: { readonly least: number; readonly most: number },
): boolean => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;

const wholeNumber = ({ least, most }: { readonly least: number; readonly most: number }): string =>
  most > 65_535
    ? `a whole number${least > -1 ? `, ${least} or more` : ''}, without quotes`
    : `a whole number from ${least} to ${most}, without quotes`;

const modes = ['iptables', 'ipvs', 'nftables'];

function kubeProxy(given: WrittenSettings): Finding[] {
  const { mode, featureGates } = given ?? {};
  const at = [...base, 'kubeProxy'];
  const isMode = mode === undefined || mode === '' || (typeof mode === 'string' && modes.includes(mode));
  return [
    // What is gone has a finding of its own.
    ...(isMode || (typeof mode === 'string' && proxyMode(mode))
      ? []
      : [
          problemAt(
            [...at, 'mode'],
            'kube-proxy does not start: it knows no such mode',
            (typeof mode === 'string' ? nearest(mode.toLowerCase(), modes) : undefined) ?? modes.join(', '),
          ),
        ]),
    ...(featureGates === undefined || featureGates === null
      ? []
      : typeFaults(featureGates, {
          type: { kind: 'truths' },
          path: [...at, 'featureGates'],
          program: 'kube-proxy',
        })),
  ];
}

const levels = ['None', 'Metadata', 'Request', 'RequestResponse'];

function auditLevel(rule: WrittenSettings, index: number): Finding[] {
  const level = rule?.['level'];
  const path = [...base, 'audit', 'rules', index];
  if (rule === undefined || (typeof level === 'string' && levels.includes(level))) return [];
  if (level !== undefined)
    return [problemAt([...path, 'level'], 'no API server starts with such a `level`', nearestLevel(level))];
  // What cannot be read may have been meant to be it.
  return Object.values(rule).includes(undefined)
    ? []
    : [problemAt(path, 'no API server starts with a rule that says no `level`', 'level: Metadata')];
}

function nearestLevel(level: unknown): string {
  const text = typeof level === 'string' ? level : '';
  const same = levels.find((each) => each.toLowerCase() === text.toLowerCase());
  return same ?? nearest(text, levels) ?? levels.join(', ');
}
