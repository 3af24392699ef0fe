import type { Problems } from '../../source/problem.ts';
import { failed, type Result } from '../../result.ts';
import {
  conclude,
  type ImportedDefinition,
  type RefusedImport,
  type ConclusionSettings,
} from '../conclude.ts';
import { machinesPart } from '../machines.ts';
import { joinParts, part, type ImportPart, type Wishes } from '../part.ts';
import type { Leaf } from '../leaves.ts';
import { restOf } from '../left-over.ts';
import { field, textAt } from '../../source/foreign/look.ts';
import type { ForeignNode, Text } from '../../source/foreign/node.ts';
import { balancerOf } from './balancer.ts';
import { disagreements } from './disagreements.ts';
import { readDocuments, type Documents } from './documents.ts';
import { endpointPart, networksPart, usualNetworks } from './endpoint.ts';
import { surroundingsOf, type TackerCloud } from './member.ts';
import { nodesOf, type TackerMachines } from './nodes.ts';
import { parametersOf, strangeParameters } from './parameters.ts';
import { registriesPart } from './registries.ts';
import { serverPart } from './server.ts';
import { storageOf } from './storage.ts';
import { noProxyPart, proxyPart } from '../values.ts';
import { safeName } from '../names.ts';

/** A definition of what an InstantiateVnfRequest of Tacker asks for, with what Tacker, Heat and OpenStack say about it. */
export function importTacker(
  texts: readonly Text[],
  setting: ConclusionSettings,
): Result<ImportedDefinition, RefusedImport> {
  const json = texts.filter(isJson);
  const documents = readDocuments(json);
  if (!documents.ok) return refusal(documents.failure);
  const parameters = parametersOf({ ...documents.value, files: texts.map(({ file }) => file) });
  if (!parameters.ok) return refusal(parameters.failure);
  const package_ = texts.filter((text) => !isJson(text));
  return conclude(partsOf(documents.value, { parameters: parameters.value, package_ }, setting.wishes), {
    ...setting,
    sources: texts.map(({ file }) => file),
    name: textAt(parameters.value, 'vim_name') ?? '',
    rest: restOf(documents.value.all, isLoginPassword),
  });
}

/** Files of a VNF package may stand beside: certificates, manifests, scripts. */
const isJson = ({ file, text }: Text): boolean =>
  file.endsWith('.json') || /^\ufeff?\s*(?:[{[]|\/[/*])/.test(text);

/** Of the account of a VIM nobody is asked. */
const isLoginPassword = ({ path, key }: Leaf): boolean =>
  /^(?:ssh_?)?password$/i.test(key) && !/(?:^|\.)accessInfo\./.test(path);

const refusal = (problems: Problems): Result<never, RefusedImport> => failed({ problems, draft: '' });

interface TackerTexts {
  readonly parameters: ForeignNode;
  readonly package_: readonly Text[];
}

function partsOf(
  documents: Documents,
  { parameters, package_ }: TackerTexts,
  wishes: Wishes,
): readonly ImportPart[] {
  const around = surroundingsOf(documents);
  const masters = machinesNamed('master', parameters, { around, wishes });
  const workers = machinesNamed('worker', parameters, { around, wishes });
  const beside = [storageOf(parameters, around, wishes), balancerOf(parameters, around)];
  const machines = [masters, workers, ...beside].flatMap((each) => each.machines);
  return [
    part({ problems: [...documents.doubts, ...disagreements(documents, around)] }),
    namePart(parameters),
    serverPart(parameters, masters.machines.length === 1 ? masters.machines[0]?.name : undefined, wishes),
    networksPart(parameters, wishes),
    usualNetworks(parameters, field(parameters, 'ansible') ? 'kubespray' : 'kubeadm'),
    endpointPart(parameters, { documents, around, masters: masters.machines.length }, wishes),
    machinesPart(machines, wishes),
    ...[masters, workers, ...beside].map(({ told }) => told),
    proxiesPart(parameters, wishes),
    registriesPart(parameters, package_),
    strangeParameters(documents, parameters),
  ];
}

function machinesNamed(
  word: 'master' | 'worker',
  parameters: ForeignNode,
  { around, wishes }: { readonly around: TackerCloud; readonly wishes: Wishes },
): TackerMachines {
  const node = field(parameters, `${word}_node`);
  const roles = [word === 'master' ? 'control-plane' : 'worker'];
  return node ? nodesOf({ word, node, roles }, around, wishes) : { machines: [], told: part({}) };
}

function namePart(parameters: ForeignNode): ImportPart {
  const vim = field(parameters, 'vim_name');
  if (vim?.kind !== 'scalar' || vim.text === '') return part({});
  const name = safeName(vim.text, 'cluster');
  return part({
    pieces: [{ path: ['metadata', 'name'], value: name, place: vim.place }],
    assumptions: name === vim.text ? [] : [`the name of the cluster is ${name}; its VIM was ${vim.text}`],
  });
}

const proxiesPart = (parameters: ForeignNode, wishes: Wishes): ImportPart =>
  joinParts(
    (
      [
        ['http', 'http_proxy'],
        ['https', 'https_proxy'],
        ['noProxy', 'no_proxy'],
      ] as const
    ).map(([key, told]) => {
      const node = field(field(parameters, 'proxy'), told);
      if (node?.kind !== 'scalar' || node.text === '') return part({});
      return key === 'noProxy' ? noProxyPart(node) : proxyPart(key, node, wishes);
    }),
  );
