import { readFile } from 'node:fs/promises';
import { ok, type Result } from '../../generators/result.ts';
import type { ProgramOptions } from '../../tasks/runtime/program.ts';
import { exec } from '../hosts/exec.ts';
import { labFailure, type LabFailure } from '../machine/lab-failure.ts';
import type { Lab } from '../state/lab.ts';
import { artifactsPath } from '../state/state.ts';

/** Makes the host `client` the desk of somebody who uses the cluster: with kubectl and the kubeconfig in `file`. */
export async function giveKubeconfig(lab: Lab, file: string): Promise<Result<void, LabFailure>> {
  const script = [
    `ln -sf ${artifactsPath}/binaries/kubectl /usr/local/bin/kubectl`,
    'install -d -o ops -g ops -m 0700 /home/ops/.kube',
    'umask 077',
    'cat >/home/ops/.kube/config',
    'chown ops:ops /home/ops/.kube/config',
  ].join(' && ');
  const given = await exec(lab, client, ['sh', '-c', script], { input: await readFile(file, 'utf8') });
  return given.ok ? ok(undefined) : given;
}

/** What kubectl prints, as the user `ops` of the host `client` would see it. */
export async function kubectl(
  lab: Lab,
  words: readonly string[],
  options: ProgramOptions = {},
): Promise<Result<string, LabFailure>> {
  const argv = ['runuser', '-u', 'ops', '--', 'kubectl', '--kubeconfig', '/home/ops/.kube/config', ...words];
  const ran = await exec(lab, client, argv, { timeout: 400, ...options });
  return ran.ok ? ok(ran.value.stdout.trimEnd()) : ran;
}

/** The answers to requests that the client sends to each of some URLs; fails when one is not answered. */
export async function ask(lab: Lab, urls: readonly string[]): Promise<Result<readonly string[], LabFailure>> {
  const asked = await exec(lab, client, ['python3', '-c', asking, ...urls], { timeout: 120 });
  if (!asked.ok) return asked;
  const answers = asked.value.stdout.trim().split('\n');
  return answers.length === urls.length
    ? ok(answers)
    : labFailure(
        `Of ${urls.length} requests these were answered: ${answers.join(', ')}`,
        'npx task lab ssh client kubectl get pods -o wide',
      );
}

const client = 'client';

// A port is open a moment after the pods are ready, when every node has heard of them.
const asking = `
import sys, time, urllib.request
for url in sys.argv[1:]:
    for attempt in range(30):
        try:
            answer = urllib.request.urlopen(url, timeout=3).read().decode().strip()
            if answer:
                print(answer)
                break
            last = "the answer is empty"
        except OSError as error:
            last = error
        time.sleep(1)
    else:
        sys.exit(f"{url}: {last}")
`;
