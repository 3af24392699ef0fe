import type { Cluster, Machine } from '../../cluster/cluster.ts';
import { documentsFile, type Data } from '../../data-file.ts';
import type { RenderedFile } from '../../rendered-file.ts';

/** What hosts are told by kubeadm's documents, in which Ansible fills in what is each host's own. */
interface HostDocuments {
  /** The path of the file for all who are told the same, without its ending; who is told otherwise has a file in a folder of this name. */
  readonly path: string;
  readonly why: string;
  readonly documents: (machine: Machine) => readonly Data[];
}

export interface HostFiles {
  readonly files: readonly RenderedFile[];
  /** Jinja for the text that a host is told. */
  readonly lookup: string;
}

/** One file for the hosts that are told the same, which are most of them, and one for each of the others. */
export function hostFiles(
  { name: cluster }: Cluster,
  machines: readonly Machine[],
  { path, why, documents }: HostDocuments,
): HostFiles {
  const fileOf = (machine: Machine, stem: string): RenderedFile =>
    documentsFile(cluster, `${stem}.yaml.j2`, { why, documents: documents(machine) });
  const texts = new Map(machines.map((machine) => [machine, fileOf(machine, path).text]));
  // Of two as frequent the plainer one.
  const plainest = [...new Set(texts.values())].toSorted((one, other) => one.length - other.length);
  const alike = plainest.map((text) => machines.filter((each) => texts.get(each) === text));
  const most = alike.reduce((one, other) => (other.length > one.length ? other : one), []);
  const others = machines.filter((machine) => !most.includes(machine));
  return {
    files: [
      ...most.slice(0, 1).map((machine) => fileOf(machine, path)),
      ...others.map((machine) => fileOf(machine, `${path}/${machine.name}`)),
    ],
    // The same whoever is told otherwise: a playbook changes for none of them.
    lookup: `lookup('template', lookup('first_found', ['${path}/' ~ inventory_hostname ~ '.yaml.j2',\n      '${path}.yaml.j2']))`,
  };
}
