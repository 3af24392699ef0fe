import type { Cluster } from '../cluster/cluster.ts';

/** Where the Ansible server keeps what outlives a run; `~/` is the home of its user. Playbooks call it `kept_folder`. */
export const keptFolder = ({ ansibleServer, name }: Pick<Cluster, 'ansibleServer' | 'name'>): string =>
  `${ansibleServer.directory}/kept/${name}`;
