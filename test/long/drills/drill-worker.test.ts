import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { kubeadmCluster, machine } from '../../support/definitions/clusters.ts';
import { etcdSaying, kubectlOf } from '../../support/live-cluster.ts';
import { hostsHere, replaceIn } from '../../support/server/hosts-here.ts';
import { certify } from '../../support/server/s3-server.ts';

const controlPlanes = ['cp1', 'cp2', 'cp3'];
const workers = ['worker1', 'worker2'];
const limits = { vip: 0, 'control-plane': 0, worker: 0, storage: 0 };
const cluster = kubeadmCluster({
  drills: { limits, atMost: 25, window: { from: '', to: '', days: [] } },
  machines: [
    ...controlPlanes.map((name, n) =>
      machine(name, `10.0.0.1${n + 1}`, { roles: ['control-plane', 'etcd'] }),
    ),
    ...workers.map((name, n) => machine(name, `10.0.0.2${n + 1}`, { roles: ['worker'] })),
  ],
});

const nodes = [...controlPlanes, ...workers].map((name) => ({
  metadata: { name },
  spec: {},
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
}));
const kubectl = kubectlOf({ nodes, pods: [], poddisruptionbudgets: [], silent: [] });

/** systemd, as far as a drill asks it; what runs by systemd-run runs beside this test, but for what only waits. */
const programs = (folder: string): Readonly<Record<string, string>> => ({
  kubectl,
  ctr: ':',
  'systemd-run': `while [[ $1 != python3 ]]; do shift; done
if [[ $2 == *revert.py ]]; then touch ${folder}/timer; else /usr/bin/python3 "\${@:2}" > /dev/null 2>&1 & echo $! > ${folder}/pid; fi`,
  systemctl: `echo "$*" >> ${folder}/told
case "$*" in
'is-active --quiet playsmith-drill-undo.timer') [[ -e ${folder}/timer ]] ;;
'is-active playsmith-drill-undo.timer') echo inactive; exit 3 ;;
is-active*) echo active ;;
is-enabled*) echo enabled ;;
'stop playsmith-drill-undo.timer') rm -f ${folder}/timer ;;
'stop playsmith-drill-witness.service') [[ ! -e ${folder}/pid ]] || { kill "$(< ${folder}/pid)"; rm ${folder}/pid; sleep 0.5; } ;;
esac`,
});

const server = `import http.server, ssl, sys
class Api(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(401)
        self.end_headers()
    def log_message(self, *_):
        pass
api = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("cert.pem", "key.pem")
api.socket = context.wrap_socket(api.socket, server_side=True)
print(api.server_address[1], flush=True)
api.serve_forever()
`;

let api: ChildProcess | undefined;
afterAll(() => api?.kill());

/** An API server that nobody is known to, at a port of its own. */
async function apiIn(folder: string): Promise<string> {
  certify(folder);
  const child = spawn('/usr/bin/python3', ['-c', server], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  api = child;
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return `https://127.0.0.1:${port.toString().trim()}/readyz`;
}

test('a worker is disturbed, clients are asked meanwhile, and the fault is reverted', async () => {
  const { folder, play } = hostsHere(cluster, programs);
  const url = await apiIn(folder);
  const plugins = join(folder, 'collections/ansible_collections/playsmith/host/plugins');
  for (const name of readdirSync(join(plugins, 'module_utils')))
    replaceIn(join(plugins, 'module_utils', name), {
      '"/run/': `"${folder}/run/`,
      '"/etc/kubernetes/pki/ca.crt"': JSON.stringify(join(folder, 'cert.pem')),
    });
  replaceIn(join(plugins, 'module_utils/etcd.py'), {
    'def ask(': etcdSaying({
      'https://localhost:2379/v3/cluster/member/list': { members: [{ name: 'cp1', clientURLs: ['a'] }] },
      'a/health': { health: 'true' },
    }),
  });
  replaceIn(join(plugins, 'modules/owner.py'), { '/etc/playsmith/': `${folder}/` });
  replaceIn(join(folder, 'drill-worker.yml'), {
    [/https:\/\/\S+\/readyz/.exec(readFileSync(join(folder, 'drill-worker.yml'), 'utf8'))?.[0] ?? '']: url,
  });

  const refused = play(['drill-worker.yml'], 'drill_worker_confirm=kube drill_worker_node=cp1');
  expect(refused.stdout).toContain('cp1 is no worker');

  const { status, stdout } = play(['drill-worker.yml'], 'drill_worker_confirm=kube');
  expect(status, stdout).toBe(0);
  const stats = stdout.slice(stdout.indexOf('CUSTOM STATS'));
  expect(stats).toMatch(/answered: true/);
  expect(stats).toMatch(/by: run/);
  expect(Number(/asked: (\d+)/.exec(stats)?.[1])).toBeGreaterThan(50);
  const told = readFileSync(join(folder, 'told'), 'utf8').split('\n');
  expect(told.filter((line) => /^(?:stop|start) kubelet$/.test(line))).toEqual([
    'stop kubelet',
    'start kubelet',
  ]);
  expect(existsSync(join(folder, 'timer'))).toBe(false);
});
