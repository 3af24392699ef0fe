import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conformanceLines, conformanceOf } from '../../generators/report/conformance.ts';
import { down, type Lab } from '../../lab/index.ts';
import { labReleases, labVersion } from '../../lab/kubernetes/releases.ts';
import { notHere } from '../support/hosts/conformance.ts';
import { readiness } from '../support/hosts/kubernetes.ts';
import { definitionOf, must, raiseLab } from '../support/hosts/lab.ts';
import { project, recapOf, type Project } from '../support/project.ts';
import { there } from '../support/there.ts';

const name = 'conformance';
const skip = notHere.map(({ names }) => names).join('|');
let lab: Lab;
let here: Project;

// The groups of Kubernetes that own the tests, each as a run of its own: what one finds is known before the next begins.
const groups = [
  ...['sig-auth', 'sig-cli', 'sig-instrumentation', 'sig-architecture', 'sig-scheduling'],
  ...['sig-network', 'sig-node', 'sig-apps', 'sig-api-machinery', 'sig-storage'],
];

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, extras: ['conformance'], controlPlanes: 1, workers: 2 });
  const { flannel } = there(labReleases.find(({ kubernetes }) => kubernetes === labVersion));
  here = await project(
    definitionOf(lab)
      .replace('plugin: static-routes', `plugin: { flannel: { version: ${flannel} } }`)
      .concat('extraPlaybooks: [conformance]\n'),
  );
  await here.done('render');
  await here.done('run', '--json');
  expect(await readiness(lab, 'cp1')).toBe('cp1=True worker1=True worker2=True');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

describe.each(groups)('the conformance tests of %s', (group) => {
  test('pass, but for those that need what hosts of the lab lack', { timeout: 7_200_000 }, async () => {
    const words = ['--conformance', '--focus', group, '--skip', skip, '--processes', '3', '--json'];
    const ended = await here.task('verify', ...words);
    const found = conformanceOf(recapOf(ended).results);
    process.stderr.write(
      `${group}: ${found === undefined ? ended.said : conformanceLines(found).join('\n')}\n`,
    );
    expect(found?.failed).toEqual([]);
    expect(found?.passed).toBeGreaterThan(0);
    expect(ended.status).toBe(0);
  });
});
