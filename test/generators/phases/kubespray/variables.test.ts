import { describe, expect, test } from 'vitest';
import { misfits } from '../../../support/definitions/kubespray-misfits.ts';
import { readTags, tabledDefaults } from '../../../support/definitions/kubespray-table.ts';
import { variablesAt } from '../../../support/definitions/kubespray-variables.ts';

/** v2.15.0 renews nothing, and passes over the variable that says so. */
const passedOver = (tag: string): readonly string[] =>
  tag === 'v2.15.0' ? ['auto_renew_certificates is unknown'] : [];

describe('every variable that is written is one of the tag, with a value like its default or its sample', () => {
  test.each(readTags)('$tag', (release) => {
    expect(misfits(variablesAt(release), tabledDefaults(release.tag))).toEqual(passedOver(release.tag));
  });

  test.each([
    ['kube_versoin', '1.32.8', 'kube_versoin is unknown'],
    ['kube_version', '1.31.4', 'kube_version: "1.31.4" is not like ["v1.31.4"]'],
    ['kube_apiserver_port', '', 'kube_apiserver_port: "" is not like [6443,"6443"]'],
    ['no_proxy_exclude_workers', 'yes', 'no_proxy_exclude_workers: "yes" is not like [false]'],
  ])('%s: %s would not be', (name, value, why) => {
    expect(misfits(new Map([[name, [value]]]), tabledDefaults('v2.27.0'))).toEqual([why]);
  });
});
