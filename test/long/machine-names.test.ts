import { parseDocument, visit, type Scalar } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { down, type Lab } from '../../lab/index.ts';
import { importedBy } from '../support/hosts/adoption.ts';
import { kubectl, readiness } from '../support/hosts/kubernetes.ts';
import { definitionWithout, must, on, raiseLab } from '../support/hosts/lab.ts';
import { changes, planned, project, type Project } from '../support/project.ts';

const name = 'domains';
const domain = 'rack-1.site.example.org';
const nodes = (...names: readonly string[]): string =>
  names.map((each) => `${each}.${domain}=True`).join(' ');
let lab: Lab;
let here: Project;

/** The definition of the lab, in which every machine has a domain. */
function withDomains(...gone: readonly string[]): string {
  const document = parseDocument(definitionWithout(lab, ...gone));
  visit(document, {
    Pair: (_, { key, value }) => {
      if ((key as Scalar).value !== 'name') return;
      const scalar = value as Scalar<string>;
      if (/^(?:cp|worker)\d$/.test(scalar.value)) scalar.value += `.${domain}`;
    },
  });
  return document.toString();
}

// As nodes are called where hosts know their domain, on many bare machines and in clouds with images of RHEL's family.
describe('machines whose names have a domain', { timeout: 1_800_000 }, () => {
  beforeAll(async () => {
    lab = await raiseLab(name, { kubernetes: true, workers: 2 });
    here = await project(withDomains('worker2'));
    await here.done('render');
  });

  afterAll(async () => {
    await here.remove();
    must(await down(name));
  });

  test('are a cluster whose nodes, members and load balancers have these names', async () => {
    const ended = await here.task('run', '--json');
    expect(ended.status, ended.said).toBe(0);
    expect(await readiness(lab, 'cp1')).toBe(nodes('cp1', 'cp2', 'cp3', 'worker1'));
    expect(await on(lab, 'worker1', 'getent', 'hosts', `cp3.${domain}`)).toContain(`cp3.${domain}`);
    expect(await on(lab, 'cp1', 'cat', '/etc/haproxy/haproxy.cfg')).toMatch(
      new RegExp(`^\\s+server cp2\\.${domain.replaceAll('.', '\\.')} `, 'm'),
    );
    expect(changes(await here.done('run', '--json'))).toEqual({});
    expect(await planned(here)).toEqual([]);
  });

  test('keep them in what an import finds of the cluster', async () => {
    const imported = await importedBy(here, lab, name);
    for (const host of ['cp1', 'cp2', 'cp3', 'worker1'])
      expect(imported).toContain(`name: ${host}.${domain}`);
    await here.define(withDomains('worker2'));
  });

  test('come by the plan and leave by their names, alone', async () => {
    await here.define(withDomains());
    await here.done('render');
    expect(await planned(here)).toEqual([`scale-out worker2.${domain}`]);
    await here.done('apply', '--yes', '--json');
    expect(await readiness(lab, 'cp1')).toBe(nodes('cp1', 'cp2', 'cp3', 'worker1', 'worker2'));
    const refused = await here.task('scale-in', 'worker2');
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain(`worker2.${domain}`);
    await here.done('scale-in', `worker2.${domain}`, '--confirm', `worker2.${domain}`, '--json');
    expect(await readiness(lab, 'cp1')).toBe(nodes('cp1', 'cp2', 'cp3', 'worker1'));
    await here.define(withDomains('worker2'));
    await here.done('render');
    expect(changes(await here.done('run', '--json'))).toEqual({});
  });

  test('are healed as control planes, and nothing differs afterwards', async () => {
    await here.done('heal-node', `cp3.${domain}`, '--confirm', `cp3.${domain}`, '--json');
    expect(await readiness(lab, 'cp1')).toBe(nodes('cp1', 'cp2', 'cp3', 'worker1'));
    const members = await kubectl(
      lab,
      'cp1',
      'get',
      'pods',
      '-n',
      'kube-system',
      '-l',
      'component=etcd',
      '-o',
      'name',
    );
    expect(members).toContain(`pod/etcd-cp3.${domain}`);
    const drift = await here.task('drift');
    expect(drift.status, drift.said).toBe(0);
  });
});
