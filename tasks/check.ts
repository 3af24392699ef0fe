import { ok } from '../generators/result.ts';
import { load } from './steps/load.ts';
import { fileOption, task } from './task.ts';

export const check = task({
  name: 'check',
  positionals: '',
  example: 'check --file cluster.yml',
  options: { file: fileOption },
  run: async ({ file }, world) => {
    const loaded = await load(file, world);
    if (!loaded.ok) return loaded;
    const { cluster } = loaded.value;
    const what =
      cluster.fleet !== undefined
        ? `fleet ${cluster.name}, ${cluster.fleet.nodes.length} nodes, ${cluster.fleet.clusters.length} clusters`
        : cluster.osa === undefined
          ? `cluster ${cluster.name}, ${cluster.machines.length} machines`
          : `OpenStack-Ansible ${cluster.osa.release} of ${cluster.name}, control plane on ${cluster.osa.controlPlane.hosts.map(({ name }) => name).join(', ')}`;
    world.report({ type: 'note', text: `${file}: ${what}, no problems` });
    return ok(undefined);
  },
});
