import { describe, expect, test } from 'vitest';
import { importAnsible, importKubespray } from '../../../generators/import/inventory/index.ts';
import { importTacker } from '../../../generators/import/tacker/index.ts';
import { importTerraform } from '../../../generators/import/terraform/index.ts';
import type { Text } from '../../../generators/source/foreign/node.ts';
import { fixtures } from '../../support/definitions/imports.ts';
import { dropped, type Importer } from '../../support/definitions/mutations.ts';

const byKubeadm =
  (vip: string): Importer =>
  (texts, { wishes, ...setting }) =>
    importKubespray(texts, { ...setting, wishes: { ...wishes, kubernetes: '1.36.3', vip } });

describe('each value of an input is in the definition, behind something that is said, or listed with its place', () => {
  test.each<readonly [string, Importer, readonly Text[]]>([
    ['kubespray, YAML', importKubespray, fixtures('kubespray/current')],
    ['kubespray, INI', importKubespray, fixtures('kubespray/old')],
    ['kubespray, everywhere', importKubespray, fixtures('kubespray/scopes')],
    ['kubespray, groups below groups, in many files', importKubespray, fixtures('kubespray/groups')],
    ['kubespray, anchors, vaults and what stands twice', importKubespray, fixtures('kubespray/anchors')],
    ['kubespray, for kubeadm', byKubeadm('10.10.0.101/24'), fixtures('kubespray/current')],
    ['kubespray, INI, for kubeadm', byKubeadm('10.3.0.100/24'), fixtures('kubespray/old')],
    ['kubespray, everywhere, for kubeadm', byKubeadm('10.3.0.100/24'), fixtures('kubespray/scopes')],
    ['of anybody, groups below groups, in many files', importAnsible, fixtures('kubespray/groups')],
    ['Ansible', importAnsible, fixtures('ansible/plain')],
    [
      'Tacker, kubespray with Heat',
      importTacker,
      fixtures('tacker/kubespray/request.json', 'tacker/kubespray/heat.json'),
    ],
    [
      'Tacker, kubespray with the instance and ports',
      importTacker,
      fixtures(
        ...['request', 'instance', 'ports', 'floating', 'servers'].map(
          (name) => `tacker/kubespray/${name}.json`,
        ),
      ),
    ],
    ['Tacker, kubeadm', importTacker, fixtures('tacker/kubeadm-ha')],
    [
      'Tacker, v2',
      importTacker,
      fixtures('tacker/v2/request.json', 'tacker/v2/instance.json', 'tacker/v2/ports.json'),
    ],
    ['Terraform', importTerraform, fixtures('terraform/openstack.json')],
    ['Terraform, objects', importTerraform, fixtures('terraform/objects.json')],
  ])('%s', (_, importer, texts) => {
    expect(dropped(importer, texts)).toEqual([]);
  });
});
