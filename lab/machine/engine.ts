import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Result } from '../../generators/result.ts';
import {
  program,
  type ProgramFailure,
  type ProgramOptions,
  type ProgramOutput,
} from '../../tasks/runtime/program.ts';
import { labMachine, type LabMachine } from './machine.ts';
import { place, type LabPlace } from './place.ts';

/** The lab's own podman: nothing of it mixes with the images, containers and networks of the user. */
export interface Engine {
  readonly place: LabPlace;
  readonly machine: LabMachine;
  readonly podman: (
    argv: readonly string[],
    options?: ProgramOptions,
  ) => Promise<Result<ProgramOutput, ProgramFailure>>;
}

export async function engine(where: LabPlace = place()): Promise<Engine> {
  const machine = await labMachine();
  const settings = join(where.folder, 'containers.conf');
  const networks = join(where.folder, 'networks');
  await mkdir(networks, { recursive: true, mode: 0o700 });
  await writeFile(settings, containersConf(where, machine));
  const own = [
    '--root',
    where.podman,
    '--runroot',
    join(where.run, 'containers'),
    '--network-config-dir',
    networks,
  ];
  return {
    place: where,
    machine,
    podman: (argv, options = {}) =>
      program(['podman', ...own, '--storage-driver', 'overlay', ...argv], {
        timeout: 120,
        ...options,
        env: { ...options.env, CONTAINERS_CONF: settings },
      }),
  };
}

/** Parent of the hosts' cgroups where podman, not systemd, keeps them. */
export const cgroupParent = (lab: string): string => `/playsmith-lab/${lab}`;

/** Where podman reads with what status a container ended. */
export const exitFile = ({ run }: LabPlace, id: string): string => join(run, 'engine/exits', id);

// Locks in files, because those in shared memory would be shared with the podman of the user.
const containersConf = ({ run }: LabPlace, { cgroupManager }: LabMachine): string => `[engine]
cgroup_manager = "${cgroupManager}"
runtime = "runc"
lock_type = "file"
tmp_dir = "${run}/engine"
events_logger = "file"
[network]
network_backend = "netavark"
`;
