import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { packageRoot } from '../../../tasks/runtime/package.ts';
import type { Lab } from '../../../lab/index.ts';
import { definitionOf } from '../../support/hosts/lab.ts';

/** How the load balancers are told to fail over: our default, our sub-second one, and that of examples/tacker-ha.yml. */
export const settings = ['standard', 'fast', 'tacker'] as const;
export type Setting = (typeof settings)[number];

/** The lab's definition with a setting. */
export function definition(lab: Lab, setting: Setting): string {
  const document = parseDocument(definitionOf(lab));
  const set = (path: readonly (string | number)[], value: unknown): void => {
    document.setIn(['controlPlaneEndpoint', 'loadBalancer', ...path], document.createNode(value));
  };
  if (setting === 'fast') set(['keepalived', 'failover'], 'fast');
  if (setting === 'tacker') {
    const { haproxy, keepalived } = example().controlPlaneEndpoint.loadBalancer;
    set(['haproxy'], haproxy);
    set(['keepalived'], keepalived);
    for (const index of [0, 1, 2]) document.setIn(['nodes', index, 'vrrpPriority'], 103 - index);
  }
  return document.toString();
}

const example = (): Example =>
  parseDocument(readFileSync(join(packageRoot, 'examples', 'tacker-ha.yml'), 'utf8')).toJS() as Example;

interface Example {
  readonly controlPlaneEndpoint: {
    readonly loadBalancer: { readonly haproxy: object; readonly keepalived: object };
  };
}
