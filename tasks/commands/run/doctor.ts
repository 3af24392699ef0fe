import type { Machine } from '../../../generators/cluster/cluster.ts';
import { failed, ok } from '../../../generators/result.ts';
import { columns } from '../../runtime/columns.ts';
import { examineArtifacts } from '../../steps/server/examine-artifacts.ts';
import { examineServer, type CheckResult } from '../../steps/server/examine.ts';
import { examineKubespray } from '../../steps/server/examine-kubespray.ts';
import { examineOsa } from '../../steps/server/examine-osa.ts';
import { scanHostKeys, type Scan } from '../../steps/server/host-keys.ts';
import { withServer } from '../../steps/server/session.ts';
import { fileOption, task } from '../../task.ts';

export const doctor = task({
  name: 'doctor',
  positionals: '',
  example: 'doctor',
  options: { file: fileOption },
  run: ({ file }, world) =>
    withServer(file, world, async ({ server, cluster }) => {
      const own = await examineServer(server, cluster);
      if (!own.ok) return own;
      const kubespray = await examineKubespray(server, cluster);
      if (!kubespray.ok) return kubespray;
      const osa = await examineOsa(server, cluster);
      if (!osa.ok) return osa;
      const artifacts = await examineArtifacts(server, cluster);
      if (!artifacts.ok) return artifacts;
      const direct = cluster.machines.filter(({ ssh }) => ssh.proxyJump === '');
      const scan = await scanHostKeys(server, direct);
      if (!scan.ok) return scan;
      const findings = [
        ...own.value,
        ...kubespray.value,
        ...osa.value,
        ...artifacts.value,
        ...cluster.machines.map((machine) => machineFinding(machine, scan.value)),
      ];
      if (world.json) for (const finding of findings) world.print(JSON.stringify(finding));
      else world.print(columns([['', 'what', 'seen', 'remedy'], ...findings.map(row)]));
      const unfit = findings.filter(({ state }) => state === 'unfit');
      return unfit.length === 0
        ? ok(undefined)
        : failed({ kind: 'unfit', message: `not fit yet: ${unfit.map(({ what }) => what).join(', ')}` });
    }),
});

const row = ({ state, what, seen, remedy }: CheckResult): string[] => [
  { fit: 'ok', unfit: 'NO', unsure: '?' }[state],
  what,
  seen,
  remedy,
];

function machineFinding({ name, ssh }: Machine, scan: Scan): CheckResult {
  const what = `${name} (${ssh.host}:${ssh.port})`;
  if (ssh.proxyJump !== '')
    return {
      what,
      state: 'unsure',
      seen: `behind ${ssh.proxyJump}`,
      remedy: 'npx task run preflight tells, it goes the whole way',
    };
  const key = scan.get(name);
  if (key === undefined)
    return {
      what,
      state: 'unfit',
      seen: 'no answer',
      remedy: 'check that it runs and that the Ansible server reaches it',
    };
  if (ssh.hostKeys.length === 0)
    return {
      what,
      state: 'unsure',
      seen: 'answers, its key is not in the definition',
      remedy: 'npx task trust',
    };
  return ssh.hostKeys.includes(`${key.type} ${key.key}`)
    ? { what, state: 'fit', seen: 'answers with the key of the definition', remedy: '' }
    : {
        what,
        state: 'unfit',
        seen: 'shows ANOTHER host key',
        remedy: `find out why; only if it was reinstalled: npx task trust ${name}`,
      };
}
