import { parseDocument } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { down, type Lab } from '../../lab/index.ts';
import { newKey, otherwise, storedSecrets } from '../support/hosts/encryption.ts';
import { kubectl, readiness } from '../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab, until } from '../support/hosts/lab.ts';
import { changes, planned, project, type Project } from '../support/project.ts';

const name = 'live';
const heads = ['cp1', 'cp2', 'cp3'] as const;
const nodes = [...heads, 'worker1'] as const;
const allReady = nodes.map((node) => `${node}=True`).join(' ');
const keyVariable = 'LAB_LIVE_KEY';
const key = newKey();
let lab: Lab;
let here: Project;

/** What is asked of the cluster beside what the lab says of it. */
interface Wanted {
  readonly encryption?: { readonly provider: 'secretbox' | 'aescbc' };
  readonly containerd?: {
    readonly registries?: readonly object[];
    readonly cri?: Readonly<Record<string, unknown>>;
  };
  /** Of the worker alone. */
  readonly kubelet?: Readonly<Record<string, unknown>>;
}

beforeAll(async () => {
  process.env[keyVariable] = key;
  lab = await raiseLab(name, { kubernetes: true, controlPlanes: 3, workers: 1 });
  here = await project(definitionOf(lab));
  await here.done('render');
  await here.done('apply', '--yes', '--json');
  const secret = ['create', 'secret', 'generic', 'treasure', '--from-literal=word=open-sesame'];
  await kubectl(lab, 'cp1', ...secret);
  await startReading();
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

async function define({ encryption, containerd = {}, kubelet }: Wanted): Promise<void> {
  const document = parseDocument(definitionOf(lab));
  if (encryption)
    document.setIn(['installer', 'kubeadm', 'encryption'], {
      secretKey: { env: keyVariable },
      ...encryption,
    });
  // Beside those without which no container starts in a lab.
  for (const [setting, value] of Object.entries(containerd.cri ?? {}))
    document.setIn(['containerd', 'cri', setting], value);
  if (containerd.registries) document.setIn(['containerd', 'registries'], containerd.registries);
  if (kubelet) document.setIn(['nodes', nodes.indexOf('worker1'), 'kubelet'], kubelet);
  await here.define(document.toString());
  await here.done('render');
}

describe('settings of containerd', () => {
  const registries = [{ host: 'registry.example.org', user: 'puller', password: { env: keyVariable } }];

  test('are brought to one node after the other; pods and the version stay', async () => {
    await define({ containerd: { registries, cri: { max_container_log_line_size: 8192 } } });
    const [version, begun] = [await versionOf(), await startsOf('worker1')];
    expect(await planned(here)).toEqual(['containerd', 'verify']);
    const { events } = await here.done('apply', '--yes', '--json');
    const restarted = events.flatMap((event) =>
      event.type === 'host-finished' &&
      event.task.startsWith('Restart containerd') &&
      event.status === 'changed'
        ? [event.host]
        : [],
    );
    expect(restarted).toEqual([...nodes]);
    for (const node of nodes)
      expect(await on(lab, node, 'cat', '/etc/containerd/config.toml')).toContain('8192');
    expect([await versionOf(), await startsOf('worker1')]).toEqual([version, begun]);
    expect(await planned(here)).toEqual([]);
  });

  test.each([
    ['that it cannot read', { max_container_log_line_size: 'many' }, 'many', 'containerd'],
    // Hosts of the lab may not give processes what containerd gives them otherwise.
    [
      'with which no container starts',
      { restrict_oom_score_adj: false },
      'restrict_oom_score_adj = false',
      'containerd starts no container',
    ],
  ])(
    '%s stop at the first node, in every run, and are gone with the definition',
    async (_, cri, text, told) => {
      await define({ containerd: { registries, cri } });
      for (const run of ['first', 'second']) {
        const failed = await here.task('apply', '--yes', '--json');
        expect([run, failed.status]).toEqual([run, 20]);
        expect(failed.stdout).toContain(told);
        const written = await Promise.all(
          nodes.map((node) => on(lab, node, 'cat', '/etc/containerd/config.toml')),
        );
        expect(written.map((each) => each.includes(text))).toEqual([true, false, false, false]);
      }
      await define({});
      await here.done('apply', '--yes', '--json');
      await until('every node is ready', async () => (await readiness(lab, 'cp2')) === allReady, 120);
      expect(await planned(here)).toEqual([]);
    },
  );
});

describe('settings of one kubelet', () => {
  const maxPods = async (node: string): Promise<unknown> => {
    const told = await kubectl(lab, 'cp1', 'get', '--raw', `/api/v1/nodes/${node}/proxy/configz`);
    return (JSON.parse(told) as { readonly kubeletconfig: { readonly maxPods: unknown } }).kubeletconfig
      .maxPods;
  };

  test('reach that one, and are there again when it joins anew', async () => {
    await define({ kubelet: { maxPods: 77 } });
    // What a node is told when it joins changes as well: docs/reference/changes.md.
    expect(await planned(here)).toEqual(['control-plane', 'reconfigure', 'workers', 'verify']);
    expect((await here.done('plan')).stdout).toContain('the kubelet restarts on worker1');
    await here.done('apply', '--yes', '--json');
    expect([await maxPods('worker1'), await maxPods('cp1')]).toEqual([77, 110]);
    expect(changes(await here.done('run', 'reconfigure', '--json'))).toEqual({});
    await here.done('heal-node', 'worker1', '--set', 'node_preflight_recreate=true', '--json');
    expect(await maxPods('worker1')).toBe(77);
    expect(changes(await here.done('run', 'reconfigure', '--json'))).toEqual({});
  });

  test('are gone with the definition', async () => {
    await define({});
    await here.done('apply', '--yes', '--json');
    expect(await maxPods('worker1')).toBe(110);
  });
});

describe('encryption of Secrets', () => {
  test('is brought to a running cluster, and everything that was stored is stored anew', async () => {
    await define({ encryption: { provider: 'secretbox' } });
    expect(await planned(here)).toEqual(['control-plane', 'reconfigure', 'encryption-key', 'verify']);
    expect((await here.done('plan')).stdout).toContain('every Secret is stored anew');
    await here.done('apply', '--yes', '--json');
    expect(otherwise(await storedSecrets(lab, 'cp2'), key)).toEqual([]);
    expect(await storedSecrets(lab, 'cp1', 'default/treasure')).not.toContain('open-sesame');
    for (const head of heads) expect(await apiServerOf(head)).toContain('--encryption-provider-config=');
  });

  test('is brought once', async () => {
    expect(await planned(here)).toEqual([]);
    expect(changes(await here.done('run', 'encryption-key', '--json'))).toEqual({});
    expect(changes(await here.done('run', 'control-plane', '--json'))).toEqual({});
  });

  test('is done in another way, also when that is cut and taken up', async () => {
    await define({ encryption: { provider: 'aescbc' } });
    expect(await planned(here)).toEqual(['encryption-key', 'verify']);
    const running = here.begin('apply', '--yes', '--json');
    await running.seen(
      (event) => event.type === 'task-started' && event.name.startsWith('Put the key first'),
    );
    await here.done('cancel');
    expect((await running.ended).status).toBe(22);
    await here.done('resume', 'retry', '--yes', '--json');
    const stored = await storedSecrets(lab, 'cp1');
    expect(stored).toContain('k8s:enc:aescbc:v1:');
    expect(stored).not.toContain('k8s:enc:secretbox:');
    expect(await planned(here)).toEqual([]);
  });
});

describe('encryption that is no longer wanted', () => {
  test('is left only once everything is stored readable', async () => {
    await define({});
    const plan = await here.task('plan');
    expect(plan.stdout).toContain('encryption-off');
    const early = await here.task('reconfigure', '--json');
    expect(early.status).toBe(20);
    expect(early.stdout).toContain('npx task apply stores them readable first');
    await here.done('apply', '--yes', '--json');
    expect(await storedSecrets(lab, 'cp1')).not.toContain('k8s:enc:');
    for (const head of heads) {
      expect(await apiServerOf(head)).not.toContain('--encryption-provider-config=');
      expect(await on(lab, head, 'ls', '/etc/kubernetes/playsmith')).not.toContain('encryption.yaml');
    }
    expect(await planned(here)).toEqual([]);
  });

  test('and whatever happened, no API server was ever asked for a Secret that it could not read', async () => {
    const reads = await stopReading();
    const well = reads.filter((line) => line === 'open-sesame');
    const wrong = reads.filter((line) => line !== 'open-sesame' && line !== 'no answer');
    process.stderr.write(`${well.length} reads answered, ${reads.length - well.length} without an answer\n`);
    expect(wrong).toEqual([]);
    expect(well.length).toBeGreaterThan(200);
  });
});

const apiServerOf = (host: string): Promise<string> =>
  on(lab, host, 'pgrep', '--list-full', '--exact', 'kube-apiserver');

const versionOf = (): Promise<string> => on(lab, 'worker1', 'ctr', 'version');

/** When each container of a node began. */
const startsOf = (host: string): Promise<string> =>
  on(lab, host, 'sh', '-c', 'ps -o lstart= -C pause,coredns,kube-proxy | sort');

/** Three kubectl a second would take a processor of their own. What an API server says that has just begun or stopped is no answer. */
const reader = `
import base64, http.client, json, re, socket, ssl, tempfile, time

text = open("/etc/kubernetes/admin.conf").read()
held = {name: base64.b64decode(value) for name, value in re.findall(r"(\\S+-data): (\\S+)", text)}
trust = ssl.create_default_context(cadata=held["certificate-authority-data"].decode())
with tempfile.NamedTemporaryFile() as file:
    file.write(held["client-certificate-data"] + held["client-key-data"])
    file.flush()
    trust.load_cert_chain(file.name)
away = re.compile("etcdserver|not ready|forbidden|timed out|timeout|shutting down|apiserver is starting", re.I)


def ask():
    server = http.client.HTTPSConnection(socket.gethostname(), 6443, timeout=5, context=trust)
    try:
        server.request("GET", "/api/v1/namespaces/default/secrets/treasure")
        answer = json.loads(server.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError):
        return "no answer"
    finally:
        server.close()
    if "data" in answer:
        return base64.b64decode(answer["data"]["word"]).decode()
    return "no answer" if away.search(json.dumps(answer)) else json.dumps(answer)


while True:
    with open("/run/lab-reads", "a") as reads:
        reads.write(ask() + "\\n")
    time.sleep(0.3)
`;

/** Reads one Secret from each API server, over and over, until {@link stopReading}. */
async function startReading(): Promise<void> {
  const encoded = Buffer.from(reader).toString('base64');
  for (const head of heads) {
    await on(lab, head, 'sh', '-c', `echo ${encoded} | base64 -d > /run/lab-reader.py`);
    const unit = ['systemd-run', '--quiet', '--collect', '--unit=lab-reader'];
    await on(lab, head, ...unit, 'python3', '/run/lab-reader.py');
  }
}

async function stopReading(): Promise<readonly string[]> {
  const texts = await Promise.all(
    heads.map(async (head) => {
      await on(lab, head, 'systemctl', 'stop', 'lab-reader');
      return on(lab, head, 'cat', '/run/lab-reads');
    }),
  );
  return texts.flatMap((text) => text.split('\n'));
}
