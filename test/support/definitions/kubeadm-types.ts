import { loadAll } from 'js-yaml';
import components from '../../fixtures/kubeadm/components.json' with { type: 'json' };
import v1beta4 from '../../fixtures/kubeadm/v1beta4.json' with { type: 'json' };

type Types = Readonly<Record<string, Readonly<Record<string, string>>>>;

const published: Readonly<Record<string, Types>> = {
  'kubeadm.k8s.io/v1beta4': v1beta4.types,
  'kubelet.config.k8s.io/v1beta1': components.types,
  'kubeproxy.config.k8s.io/v1alpha1': components.types,
};

/** Where the documents say something that the published Go types have no field for, or hold another shape. */
export const fieldProblems = (text: string): readonly string[] =>
  loadAll(text).flatMap((document) => {
    const { apiVersion, kind } = document as { readonly apiVersion: string; readonly kind: string };
    const types = published[apiVersion];
    if (types?.[kind] === undefined) return [`there is no ${apiVersion} ${kind}`];
    return problems(document, kind, { types, where: kind });
  });

interface Context {
  readonly types: Types;
  readonly where: string;
}

function problems(value: unknown, type: string, { types, where }: Context): readonly string[] {
  if (type.startsWith('[]')) {
    if (!Array.isArray(value)) return [`${where} is no list`];
    return value.flatMap((item) => problems(item, type.slice(2), { types, where }));
  }
  const fields = types[type];
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isMapping !== (type.startsWith('map ') || fields !== undefined)) return [`${where} is no ${type}`];
  if (!isMapping || fields === undefined) return ofScalar(value, type, where);
  return Object.entries(value).flatMap(([key, each]) => {
    const field = fields[key];
    if (field === undefined) return [`${where}.${key} does not exist`];
    return problems(each, field, { types, where: `${where}.${key}` });
  });
}

const kinds: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'number',
};

function ofScalar(value: unknown, type: string, where: string): readonly string[] {
  const kind = kinds[type];
  return kind === undefined || typeof value === kind ? [] : [`${where} is no ${type}`];
}
