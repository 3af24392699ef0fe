import { expect, test } from 'vitest';
import { engine } from '../../../../generators/engine.ts';
import { kubeconfig } from '../../../../generators/phases/control-plane/kubeconfig.ts';
import { cluster, kubeadm, machine } from '../../../support/definitions/clusters.ts';
import { templates } from '../../../support/definitions/templates.ts';

const machines = [machine('cp1', '10.0.0.11')];

test('the kubeconfig is kept where only the user of the Ansible server reads it, and shown to nobody', () => {
  const given = cluster({ machines, ...kubeadm(machines) });
  const [file] = kubeconfig.render(given, engine(templates, given.name));
  expect(file?.text).toContain('kubeconfig_folder: "{{ kept_folder }}"');
  expect(file?.text.match(/no_log: true/g)).toHaveLength(2);
});
