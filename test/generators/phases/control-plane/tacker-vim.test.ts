import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { engine } from '../../../../generators/engine.ts';
import { tackerVim } from '../../../../generators/phases/control-plane/tacker-vim.ts';
import { kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { templates } from '../../../support/definitions/templates.ts';

const cluster = kubeadmCluster();
const [playbook, program] = tackerVim.render(cluster, engine(templates, cluster.name));

/** A kubectl that answers as a server of a version does, and keeps what it was told. */
const kubectl = `#!/usr/bin/python3
import json, os, sys
words = [each for each in sys.argv[1:] if not each.startswith(("--kubeconfig", "--request"))]
folder = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(folder, "said"), "a") as said:
    said.write(" ".join(words) + "\\n")
if words[0] == "version":
    print(json.dumps({"serverVersion": {"minor": open(os.path.join(folder, "minor")).read()}}))
elif words[:2] == ["get", "namespace"] and words[2] == "nowhere":
    sys.exit("Error from server (NotFound): namespaces \\"nowhere\\" not found")
elif words[0] == "apply":
    text = sys.stdin.read()
    with open(os.path.join(folder, "applied"), "a") as applied:
        applied.write(text + "\\n")
    print("role.rbac.authorization.k8s.io/playsmith-tacker created")
elif words[0] == "diff":
    status = int(open(os.path.join(folder, "differs")).read())
    sys.stderr.write("error: You must be logged in to the server\\n" if status > 1 else "")
    sys.exit(status)
elif words[:2] == ["create", "token"]:
    print("asked-token")
elif words[:2] == ["get", "secret"]:
    print(json.dumps({"data": {"token": "b2xkLXRva2Vu"}}))
elif words[0] == "config":
    print(json.dumps({"clusters": [{"cluster": {"certificate-authority-data": "Q0EK"}}]}))
`;

function run(minor: string, asked: object, differs = 0) {
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-'));
  writeFileSync(join(folder, 'kubectl'), kubectl);
  chmodSync(join(folder, 'kubectl'), 0o755);
  writeFileSync(join(folder, 'minor'), minor);
  writeFileSync(join(folder, 'differs'), String(differs));
  const done = spawnSync('/usr/bin/python3', ['-c', program?.text ?? ''], {
    // As Ansible before 2.19 fills in a variable of a variable: numbers are texts.
    input: JSON.stringify({ namespaces: ['tenant-a'], hours: '720', act: true, ...asked }),
    encoding: 'utf8',
    env: { PATH: `${folder}:/usr/bin:/bin` },
  });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return {
    ...done,
    said: read('said'),
    applied: existsSync(join(folder, 'applied')) ? read('applied') : '',
  };
}

interface Item {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string };
  readonly rules?: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

describe('the file for Tacker', () => {
  test('has endpoint, project, CA and a token that is asked for since 1.24', () => {
    const { stdout, said } = run('34', {});
    const { changed, file } = JSON.parse(stdout) as { changed: boolean; file: string };
    expect(changed).toBe(true);
    expect(load(file)).toEqual({
      auth_url: 'https://10.0.0.100:6440',
      project_name: 'tenant-a',
      bearer_token: 'asked-token',
      ssl_ca_cert: 'CA\n',
      type: 'kubernetes',
    });
    expect(said).toContain('create token playsmith-tacker --namespace=kube-system --duration=720h');
  });

  test('has the token of a Secret before 1.24', () => {
    const { stdout, applied } = run('20+', {});
    expect((JSON.parse(stdout) as { file: string }).file).toContain('bearer_token: "old-token"');
    expect(applied).toContain('kubernetes.io/service-account-token');
  });

  test('gives rights in the namespaces that are named, and sees nothing else but namespaces and nodes', () => {
    const { applied } = run('34', { namespaces: ['tenant-a', 'tenant-b'] });
    const { items } = JSON.parse(applied.split('\n')[0] ?? '') as { items: readonly Item[] };
    const of = (kind: string) => items.filter((item) => item.kind === kind);
    expect(of('Role').map(({ metadata }) => metadata.namespace)).toEqual(['tenant-a', 'tenant-b']);
    expect(of('ClusterRole')[0]?.rules).toEqual([
      { apiGroups: [''], resources: ['namespaces', 'nodes'], verbs: ['get', 'list', 'watch'] },
    ]);
    const groups = of('Role').flatMap(({ rules = [] }) => rules.flatMap(({ apiGroups }) => apiGroups));
    expect(groups).not.toContain('rbac.authorization.k8s.io');
    expect(groups).not.toContain('*');
  });

  test('is made of nothing in check mode', () => {
    const { said, stdout } = run('34', { act: false });
    expect((JSON.parse(stdout) as { file: string }).file).toBe('');
    expect(said).not.toMatch(/apply|create/);
  });

  test.each([
    [0, false],
    [1, true],
  ])('differs in check mode where kubectl ends with %i: %s', (status, changed) => {
    expect(JSON.parse(run('34', { act: false }, status).stdout)).toEqual({ changed, file: '' });
  });

  test('fails in check mode where nobody could compare', () => {
    const { status, stdout, stderr } = run('34', { act: false }, 2);
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: 'kubectl diff: error: You must be logged in to the server\n',
    });
  });

  test('wants namespaces that are there', () => {
    expect(run('34', { namespaces: ['nowhere'] })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('namespaces "nowhere" not found') as string,
    });
  });

  test('is kept for the user of the Ansible server alone, and shown to nobody', () => {
    expect(playbook?.text).toContain('tacker_vim_folder: "{{ kept_folder }}"');
    expect(playbook?.text.match(/no_log: true/g)).toHaveLength(2);
  });
});
