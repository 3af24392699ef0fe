import type { Tags } from 'yaml';

/** Whole numbers as the YAML reader of kubectl takes them: a zero first means octal, `_` parts digits. */
export const kubernetesTags: Tags = [
  {
    tag: 'tag:yaml.org,2002:int',
    default: true,
    identify: (value: unknown) => typeof value === 'number' && Number.isInteger(value),
    test: /^[-+]?0[0-7_]+$/,
    resolve: (text: string) => Number.parseInt(text.replaceAll('_', ''), 8),
  },
  {
    tag: 'tag:yaml.org,2002:int',
    default: true,
    identify: () => false,
    test: /^[-+]?[1-9][0-9]*_[0-9_]*$/,
    resolve: (text: string) => Number.parseInt(text.replaceAll('_', ''), 10),
  },
];
