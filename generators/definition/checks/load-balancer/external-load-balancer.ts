import { externalAddressOf, externalHostsOf, rolesOf } from '../../derived.ts';
import { problemAt, keyProblemAt, warning, type Finding, type Path } from '../../../source/finding.ts';
import { fileText } from '../../files.ts';
import { balancedServices, manifestListeners } from './balanced-services.ts';
import { externalAddress } from './external-address.ts';
import { hasGap } from '../../gaps.ts';
import { hole, type Facts, type BalancerDraft } from '../facts.ts';
import { references } from '../node/hosts.ts';

/** The external load balancer stands on hosts of its own, has something to balance, and an address that is nobody else's. */
export function externalLoadBalancer(facts: Facts): readonly Finding[] {
  const written = facts.draft.externalLoadBalancer;
  if (!written) return [];
  return [
    ...(hasGap(facts.draft, 'hosts.*.name') ? [] : hosts(facts)),
    ...(written.script || hole(written, 'script') ? checkScript(written, facts) : balancing(written, facts)),
    ...externalAddress(written, facts),
    ...alone(written, facts),
  ];
}

const at = (...keys: (string | number)[]): (string | number)[] => ['externalLoadBalancer', ...keys];

/** Two configurations of HAProxy do not fit one host. */
function hosts(facts: Facts): Finding[] {
  const names = externalHostsOf(facts.draft);
  const task = {
    isNode: 'and an external load balancer stands outside the cluster',
    instead: 'the name of a machine from `hosts`',
  };
  const inner = new Set(facts.placement?.kind === 'dedicated' ? facts.placement.hosts : []);
  return [
    ...references(names, { at: at('hosts'), task }, facts),
    ...names.flatMap((name, index) =>
      inner.has(name)
        ? [
            problemAt(
              at('hosts', index),
              `${name} balances the control plane already, and a host has one HAProxy`,
              'a host of its own',
            ),
          ]
        : [],
    ),
  ];
}

/** A script does everything, so nothing else has an effect. */
function checkScript(written: BalancerDraft, { files }: Facts): Finding[] {
  const beside = (
    [
      'address',
      'interface',
      'api',
      'services',
      'manifests',
      'healthPort',
      'check',
      'drain',
      'keepalived',
    ] as const
  ).filter((key) => written[key] !== undefined);
  const path = written.script?.path;
  const text = path === undefined ? undefined : fileText(files, path);
  return [
    ...beside.map((key) =>
      keyProblemAt(
        at(key),
        `\`${key}\` has no effect beside \`script\`, which does everything`,
        'remove one of the two',
      ),
    ),
    ...(text?.ok === false ? [unreadable(at('script', 'path'), text.failure)] : []),
    ...(text?.ok === true && !text.value.startsWith('#!')
      ? [
          problemAt(
            at('script', 'path'),
            `no program is given that reads ${path ?? ''}`,
            'a first line like #!/bin/bash in it',
          ),
        ]
      : []),
    ...(text?.ok === true && /^#!.*\r/.test(text.value)
      ? [
          problemAt(
            at('script', 'path'),
            `the first line of ${path ?? ''} ends with CR LF, and no host has a program with a CR in its name`,
            'LF at the end of each line',
          ),
        ]
      : []),
  ];
}

function balancing(written: BalancerDraft, facts: Facts): Finding[] {
  const isEmpty = (['api', 'services', 'manifests'] as const).every(
    (key) => written[key] === undefined && !hole(written, key),
  );
  const isPublished =
    hasGap(facts.draft, 'cnfs.*.publish') ||
    (facts.draft.cnfs ?? []).some((cnf) => cnf?.publish !== undefined);
  return [
    ...(isEmpty && !isPublished
      ? [
          problemAt(
            at(),
            'there is nothing that it would balance',
            'services: [{ name: web, port: 80 }], `manifests` or `api`',
          ),
        ]
      : []),
    ...(written.manifests ?? []).flatMap((path, index) => {
      const text = path === undefined ? undefined : fileText(facts.files, path);
      return text?.ok === false ? [unreadable(at('manifests', index), text.failure)] : [];
    }),
    ...balancedServices(written, facts),
    ...withoutBackends(written, facts),
  ];
}

const unreadable = (path: Path, reason: string): Finding =>
  problemAt(path, reason, 'a file, by its path from the folder of the definition');

function withoutBackends(written: BalancerDraft, facts: Facts): Finding[] {
  const { draft } = facts;
  const isWorked = draft.nodes?.some((node) => node && rolesOf(node).includes('worker')) !== false;
  if (isWorked || hasGap(draft, 'nodes.*.roles.*')) return [];
  const toWorkers = (written.services ?? []).flatMap((service, index) =>
    service && (service.backends ?? 'workers') === 'workers' && !hole(service, 'backends')
      ? [at('services', index)]
      : [],
  );
  const ofManifests = manifestListeners(written, facts).map(({ path, what }) =>
    problemAt(path, `no node is a worker, so nothing would answer at ${what}`, workerless),
  );
  const published = (draft.cnfs ?? []).flatMap((cnf, number) =>
    (cnf?.publish ?? []).map((_, index) => ['cnfs', number, 'publish', index]),
  );
  return [
    ...toWorkers.map((path) => problemAt(path, nothingAnswers, 'backends: control-planes')),
    ...ofManifests,
    ...published.map((path) => problemAt(path, nothingAnswers, workerless)),
  ];
}

const nothingAnswers = 'no node is a worker, so nothing would answer';
const workerless = 'the Service in `externalLoadBalancer.services`, with `backends: control-planes`';

function alone(written: BalancerDraft, { draft }: Facts): Finding[] {
  const count = new Set(externalHostsOf(draft)).size;
  if (count === 1 && externalAddressOf(draft))
    return [warning(at('hosts'), 'one load balancer: if it fails, nothing takes over', 'two hosts')];
  return count > 1 && written.address === undefined && !hole(written, 'address') && !written.script
    ? [
        warning(
          at('hosts'),
          'no virtual address moves between these hosts, so clients must know each of them',
          'address: 192.0.2.90/24',
        ),
      ]
    : [];
}
