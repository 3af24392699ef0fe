import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { down, exec, type Lab } from '../../lab/index.ts';
import { configMap, deployment } from '../support/definitions/cnfs.ts';
import { kubectl } from '../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab } from '../support/hosts/lab.ts';
import { project, recapOf, type Ended, type Project } from '../support/project.ts';

const name = 'cnf';
let lab: Lab;
let here: Project;
let base: string;

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, controlPlanes: 1, workers: 1 });
  base = definitionOf(lab);
  here = await project(base);
  await mkdir(join(here.folder, 'm'));
  await here.done('render');
  await here.done('run', '--json');
}, 1_200_000);

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

const manifest = (file: string, text: string): Promise<void> => writeFile(join(here.folder, 'm', file), text);

/** The lab's cluster with these CNFs. */
async function define(...entries: readonly string[]): Promise<void> {
  const list = entries.map((entry) => `  - { ${entry} }\n`).join('');
  await here.define(`${base.trimEnd()}\n\ncnfs:${entries.length === 0 ? ' []' : ''}\n${list}`);
  await here.done('render');
}

const changed = (ended: Ended): number =>
  Object.values(recapOf(ended).recap).reduce((sum, each) => sum + each.changed, 0);

const done = (...words: readonly string[]): Promise<Ended> => here.done(...words, '--json');

/** Everything that was said of a run that failed. */
async function refused(...words: readonly string[]): Promise<string> {
  const ended = await here.task(...words, '--json');
  expect(ended.status, ended.said).toBe(20);
  return ended.stdout.replaceAll(String.raw`\n`, '\n') + ended.stderr;
}

const get = (namespace: string, ...words: readonly string[]): Promise<string> =>
  kubectl(lab, 'cp1', '--namespace', namespace, 'get', ...words);

/** Whether the tenant of a namespace may do something in another. */
async function may(tenant: string, verb: string, namespace: string): Promise<boolean> {
  const asked = await exec(lab, 'cp1', [
    ...['kubectl', '--kubeconfig', '/etc/kubernetes/admin.conf', 'auth', 'can-i', verb, 'deployments'],
    ...['--namespace', namespace, '--as', `system:serviceaccount:${tenant}`],
  ]);
  return asked.ok && asked.value.stdout.trim() === 'yes';
}

const web = 'name: web, namespace: tenant-a, manifests: [m/web.yaml], wait: { timeout: 90s }';
const scaled = `${web}, scaling: [{ aspect: web, kind: Deployment, name: web, maximum: 3 }]`;
const db = 'name: db, manifests: [m/db.yaml], quota: { pods: "2" }, wait: { timeout: 40s }';
const small = (text: string): string => text.replaceAll('replicas: 2', 'replicas: 1');

describe('two tenants side by side', () => {
  test('are brought to their namespaces, by the definition and by the manifests', async () => {
    await manifest(
      'web.yaml',
      `${configMap('settings')}---\n${configMap('old')}---\n${small(deployment('web'))}`,
    );
    await manifest('db.yaml', small(deployment('db', { namespace: 'tenant-b' })));
    await define(scaled, db);
    await done('cnf-instantiate');
    expect(await get('tenant-a', 'deployments', '--output=name')).toBe('deployment.apps/web');
    expect(await get('tenant-b', 'deployments', '--output=name')).toBe('deployment.apps/db');
  });

  test('change nothing the second time, and leave no kubeconfig', async () => {
    expect(changed(await done('cnf-instantiate'))).toBe(0);
    expect(await on(lab, 'cp1', 'sh', '-c', 'ls -d /run/playsmith-cnf-* 2>/dev/null || true')).toBe('');
  });

  test('can neither read nor write what is in the namespace of the other', async () => {
    for (const verb of ['get', 'create', 'delete']) {
      expect(await may('tenant-a:web', verb, 'tenant-a')).toBe(true);
      expect(await may('tenant-a:web', verb, 'tenant-b')).toBe(false);
      expect(await may('tenant-b:db', verb, 'tenant-a')).toBe(false);
      expect(await may('tenant-b:db', verb, 'playsmith-cnfs')).toBe(false);
    }
  });

  test('have kubeconfigs that end, for their own namespace alone', async () => {
    await done('kubeconfig', '--cnf', 'web', '--hours', '1', '--to', 'tenant.conf');
    const file = join(here.folder, 'tenant.conf');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(
      await on(lab, 'ansible', 'sh', '-c', 'find / -xdev -name tenant-kubeconfig 2>/dev/null || true'),
    ).toBe('');
    const text = (await readFile(file)).toString('base64');
    const asTenant = (namespace: string): Promise<string> =>
      on(
        lab,
        'cp1',
        'sh',
        '-c',
        'echo "$1" | base64 -d > /run/tenant.conf; kubectl --kubeconfig /run/tenant.conf --namespace "$2" get deployments --output=name 2>&1; rm /run/tenant.conf',
        'sh',
        text,
        namespace,
      );
    expect(await asTenant('tenant-a')).toBe('deployment.apps/web');
    expect(await asTenant('tenant-b')).toContain('forbidden');
  });

  test('take no more than three round trips each', async () => {
    const ended = await done('cnf-status', 'web', 'db');
    const tasks = ended.events.flatMap((event) => (event.type === 'task-started' ? [event.name] : []));
    // These two the Ansible server does by itself.
    const trips = tasks.filter((task) => !/^(?:Record|Require) /.test(task));
    expect(trips.length).toBeLessThanOrEqual(3);
  });
});

describe('a CNF', () => {
  const replicas = (): Promise<string> =>
    get('tenant-a', 'deployment', 'web', '--output=jsonpath={.spec.replicas}');

  test('is scaled out, to a level, and not beyond its bounds', async () => {
    await done('cnf-scale', 'web', '--aspect', 'web', '--out', '1');
    expect(await replicas()).toBe('2');
    await done('cnf-scale', 'web', '--aspect', 'web', '--level', '2');
    expect(await replicas()).toBe('3');
    expect(await refused('cnf-scale', 'web', '--aspect', 'web', '--out', '1')).toContain(
      'has 3 replicas and would have 4',
    );
    await done('cnf-scale', 'web', '--aspect', 'web', '--in', '1');
    expect(await replicas()).toBe('2');
    expect(changed(await done('cnf-instantiate', 'web'))).toBe(0);
  });

  test('is healed pod by pod, and as a whole', async () => {
    const pods = (await get('tenant-a', 'pods', '--output=name'))
      .split('\n')
      .map((pod) => pod.replace('pod/', ''));
    await done('cnf-heal', 'web', '--pod', pods[0] ?? '');
    const fresh = await get('tenant-a', 'pods', '--output=name');
    expect(fresh).not.toContain(pods[0]);
    expect(fresh).toContain(pods[1]);
    await done('cnf-heal', 'web');
    expect(await get('tenant-a', 'pods', '--output=name')).not.toContain(pods[1]);
    expect(await replicas()).toBe('2');
  });

  test('is updated, and what went is shown before it is deleted', async () => {
    await manifest('web.yaml', `${configMap('settings', 'two')}---\n${small(deployment('web'))}`);
    await define(scaled, db);
    expect(await refused('cnf-update', 'web')).toContain(
      'would be deleted: ConfigMap old. Nothing was changed',
    );
    expect(await get('tenant-a', 'configmap', 'settings', '--output=jsonpath={.data.value}')).toBe('one');
    await done('cnf-update', 'web', '--prune');
    expect(await get('tenant-a', 'configmap', 'settings', '--output=jsonpath={.data.value}')).toBe('two');
    expect(await get('tenant-a', 'configmaps', '--output=name')).not.toContain('configmap/old');
    expect(changed(await done('cnf-update', 'web'))).toBe(0);
  });

  test('is not begun to be updated where Kubernetes would not take all of it', async () => {
    const otherLabel = small(deployment('web')).replaceAll('app: web', 'app: other');
    await manifest('web.yaml', `${configMap('settings', 'three')}---\n${otherLabel}`);
    await define(scaled, db);
    for (const words of [[], ['--check']]) {
      const said = await refused('cnf-update', 'web', ...words);
      expect(said).toMatch(/Deployment \\?"web\\?" is invalid: spec.selector: .* field is immutable/);
      expect(said).toContain('Nothing was changed.');
    }
    expect(await get('tenant-a', 'configmap', 'settings', '--output=jsonpath={.data.value}')).toBe('two');
    await manifest('web.yaml', `${configMap('settings', 'two')}---\n${small(deployment('web'))}`);
    await define(scaled, db);
    expect(changed(await done('cnf-update', 'web'))).toBe(0);
  });

  test('is never moved silently', async () => {
    await define(scaled.replace('tenant-a', 'tenant-c'), db);
    expect(await refused('cnf-update', 'web')).toContain(
      'it lives in the namespace tenant-a since it was instantiated',
    );
    const plan = await here.task('plan');
    expect(plan.stdout).toContain('cnf-terminate web');
    expect(plan.stdout).toContain('the namespace tenant-a becomes tenant-c');
    await define(scaled, db);
  });
});

describe('what keeps a CNF from getting ready', () => {
  test('is an image that is not there, after which the revision before is back', async () => {
    await manifest(
      'web.yaml',
      `${configMap('settings', 'two')}---\n${small(deployment('web', { image: 'docker.io/lab/none:9' }))}`,
    );
    await define(scaled.replace('90s', '60s'), db);
    const said = await refused('cnf-update', 'web', '--rollback');
    expect(said).toMatch(/container main: (?:ErrImagePull|ImagePullBackOff)/);
    expect(said).toContain('is back, and ready');
    await manifest('web.yaml', `${configMap('settings', 'two')}---\n${small(deployment('web'))}`);
    await define(scaled, db);
    expect(changed(await done('cnf-update', 'web'))).toBe(0);
  });

  test('is a quota that is exceeded', async () => {
    await manifest('db.yaml', deployment('db', { namespace: 'tenant-b', replicas: 4 }));
    await define(scaled, db);
    expect(await refused('cnf-update', 'db')).toContain('exceeded quota: cnf-db');
    await manifest('db.yaml', small(deployment('db', { namespace: 'tenant-b' })));
    await define(scaled, db);
    await done('cnf-update', 'db');
  });

  test('is a claim that is not bound, or a right that is not there', async () => {
    await manifest('own.yaml', configMap('own'));
    const claim =
      'persistentVolumeClaims: [{ name: data, storage: 1Gi, accessModes: [ReadWriteMany], storageClass: "" }]';
    const rules = 'tenant: { rules: [{ apiGroups: [""], resources: [secrets], verbs: [get] }] }';
    await define(
      `name: bound, namespace: tenant-d, manifests: [m/own.yaml], wait: { timeout: 5s }, ${claim}`,
      `name: right, namespace: tenant-e, manifests: [m/own.yaml], ${rules}`,
    );
    const said = await refused('cnf-instantiate');
    expect(said).toContain('PersistentVolumeClaim data in tenant-d: it is Pending');
    expect(said).toContain('no persistent volumes available');
    expect(said).toMatch(/configmaps .*is forbidden/);
    expect(said).toContain('Failed: bound, right');
    await done('cnf-terminate', 'bound', 'right', '--confirm', 'bound,right');
  });
});

describe('the end', () => {
  test('takes everything away, the namespaces too, and leaves what is not ours', async () => {
    await kubectl(lab, 'cp1', '--namespace', 'tenant-b', 'create', 'configmap', 'foreign');
    await define();
    await done('cnf-terminate', 'web', 'db', '--confirm', 'web,db');
    const spaces = await kubectl(lab, 'cp1', 'get', 'namespaces', '--output=name');
    expect(spaces).not.toContain('tenant-a');
    expect(spaces).toContain('tenant-b');
    expect(await get('tenant-b', 'configmap', 'foreign', '--output=name')).toBe('configmap/foreign');
    expect(
      await get('playsmith-cnfs', 'secrets', '--field-selector=type=playsmith.io/cnf', '--output=name'),
    ).toBe('');
    expect(changed(await done('cnf-terminate', 'web', '--confirm', 'web'))).toBe(0);
  });
});

test('a hundred CNFs come to a hundred namespaces in one run', async () => {
  await manifest('own.yaml', configMap('own'));
  const names = Array.from({ length: 100 }, (_, index) => `many-${index + 1}`);
  await define(...names.map((each) => `name: ${each}, namespace: ${each}, manifests: [m/own.yaml]`));
  const ended = await done('cnf-instantiate');
  process.stderr.write(`a hundred CNFs: ${recapOf(ended).seconds.toFixed(1)} s\n`);
  const kept = await kubectl(lab, 'cp1', 'get', 'configmaps', '--all-namespaces', '--output=name');
  expect(kept.split('\n').filter((each) => each === 'configmap/own')).toHaveLength(100);
  // One question each beside those of the run itself.
  expect(ended.events.filter((event) => event.type === 'task-started').length).toBeLessThanOrEqual(10);
});
