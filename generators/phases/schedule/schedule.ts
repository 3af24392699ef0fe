import type { Cluster, Job, Schedule } from '../../cluster/cluster.ts';
import type { Fill } from '../../engine.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { program, renderedFile, type Phase } from '../phase.ts';

/** Jobs that the Ansible server runs by itself: a service and a timer of systemd each. */
export const schedule: Phase = {
  name: 'schedule',
  what: 'Schedule jobs with systemd on the Ansible server, or remove them; `npx task schedule install` also leaves there what they need',
  hosts: 'localhost',
  tags: [{ name: 'schedule', what: 'everything' }],
  applies: ({ schedule: wanted }) => wanted !== undefined,
  run: 'asked',
  told: () => 'schedule_operation',
  parameters: [
    {
      variable: 'schedule_state',
      what: 'whether there are units; `absent` removes those of this cluster',
      required: false,
      pattern: 'present|absent',
      example: 'absent',
    },
  ],
  render: (cluster, fill) => (cluster.schedule === undefined ? [] : files(cluster, cluster.schedule, fill)),
};

/** The name of the units of a job, without what kind they are. A cluster's name has no dot. */
export const unitOf = (cluster: string, job: string): string => `playsmith-${cluster}.${job}`;

/** The folder on the Ansible server where a client leaves what jobs need. */
const folderOf = ({ ansibleServer, name }: Cluster): string => `${ansibleServer.directory}/schedules/${name}`;

/** Reads the server's half from standard input, then becomes it. */
const become =
  'import json,sys,zlib;i=sys.stdin.buffer;p=json.loads(zlib.decompress(i.read(int(i.readline()))));exec(p["loader"],{"sources":p["sources"]})';

function files(cluster: Cluster, { jobs }: Schedule, fill: Fill): readonly RenderedFile[] {
  const units = jobs.map(({ name }) => unitOf(cluster.name, name));
  const view = {
    folder: folderOf(cluster),
    pattern: unitOf(cluster.name, '*'),
    files: units.flatMap((unit) => [`${unit}.service`, `${unit}.timer`]),
    timers: units.map((unit) => `${unit}.timer`),
  };
  return [
    renderedFile('schedule.yml', fill('schedule/schedule.yml.hbs', view)),
    program('files/schedule/run-job.sh', fill('schedule/run-job.sh.hbs', { program: become })),
    ...jobs.flatMap((job) => unitFiles(cluster, job, fill)),
  ];
}

function unitFiles(cluster: Cluster, job: Job, fill: Fill): readonly RenderedFile[] {
  const { name, onCalendar, randomizedDelay, persistent } = job;
  const view = {
    ...{ job: name, cluster: cluster.name, onCalendar, randomizedDelay, persistent },
    // systemd's word for the home of the user that it works for.
    folder: folderOf(cluster).replace(/^~/, '%h'),
  };
  return ['service', 'timer'].map((kind) =>
    renderedFile(
      `files/schedule/${unitOf(cluster.name, name)}.${kind}`,
      fill(`schedule/job.${kind}.hbs`, view),
    ),
  );
}
