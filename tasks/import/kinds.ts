import type {
  ImportedDefinition,
  RefusedImport,
  ConclusionSettings,
} from '../../generators/import/conclude.ts';
import { importCluster } from '../../generators/import/cluster/index.ts';
import { importHosts } from '../../generators/import/hosts.ts';
import { importAnsible, importKubespray } from '../../generators/import/inventory/index.ts';
import type { Text } from '../../generators/source/foreign/node.ts';
import { importTacker } from '../../generators/import/tacker/index.ts';
import { importTerraform } from '../../generators/import/terraform/index.ts';
import type { Result } from '../../generators/result.ts';

export const kinds = ['tacker', 'kubespray', 'ansible', 'terraform', 'hosts', 'cluster'] as const;

export type ImportKind = (typeof kinds)[number];

/** What each kind of source is read by. */
export const importers: Readonly<
  Record<
    ImportKind,
    (texts: readonly Text[], setting: ConclusionSettings) => Result<ImportedDefinition, RefusedImport>
  >
> = {
  tacker: importTacker,
  kubespray: importKubespray,
  ansible: importAnsible,
  terraform: importTerraform,
  hosts: importHosts,
  cluster: importCluster,
};
