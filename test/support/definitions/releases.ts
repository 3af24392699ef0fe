import { labDefinition } from '../../../lab/definition.ts';
import { describe, type Lab, type LabArtifacts } from '../../../lab/index.ts';

/** The definition of a lab's cluster, as it is with other artifacts in a folder of the Ansible server. */
export function definitionWith(
  lab: Lab,
  { sha256, version, containerd }: LabArtifacts,
  path: string,
): string {
  return labDefinition(
    { ...describe(lab), artifacts: { path, sha256, version, containerd } },
    'cluster.schema.json',
  );
}
