// What `npm test` runs. First what only computes, side by side: lint with types, unit tests. Then what mostly waits: tests with
// hosts, one lab at a time, beside those with a server. Words given to it choose test files by their paths; without any,
// every project has tests, or that is a failure. The last line is `N passed, N failed`.
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';

const filters = process.argv.slice(2);
/** What each part came to and what failed in it; told at the end, where it is looked for. */
const verdicts = [];
const folder = await mkdtemp(join(tmpdir(), 'playsmith-tests-'));
const report = (project) => join(folder, `${project}.json`);

/** Runs a program to its end and says how long it took; what it prints is shown as it comes, or in one piece then. */
async function run(name, [command, ...argv], { live = false } = {}) {
  const began = Date.now();
  const output = live ? 'inherit' : 'pipe';
  const color = live ? {} : { FORCE_COLOR: process.stdout.isTTY ? '1' : '0' };
  const child = spawn(command, argv, {
    stdio: ['ignore', output, output],
    env: { ...process.env, ...color },
  });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => printed.push(bytes));
  const code = await new Promise((resolve) => child.on('close', resolve));
  const seconds = Math.round((Date.now() - began) / 1000);
  const verdict = `${name}: ${code === 0 ? 'ok' : 'FAILED'}, ${seconds} s\n`;
  const text = Buffer.concat(printed).toString();
  verdicts.push(code === 0 || name !== 'lint' ? verdict : `${verdict}${text}`);
  process.stdout.write(`${text}\n${verdict}`);
  return code === 0;
}

/** Runs the tests of a project and counts those that passed and failed; a file that could not be loaded is a failure. */
async function test(project, options) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report(project)}`];
  const chosen = filters.length > 0 ? ['--passWithNoTests', ...filters] : [];
  const isWell = await run(
    project,
    ['npx', 'vitest', 'run', '--project', project, ...reporters, ...chosen],
    options,
  );
  const { testResults = [] } = await readFile(report(project), 'utf8').then(JSON.parse, () => ({}));
  const states = testResults.flatMap(({ status, assertionResults }) => {
    const tests = assertionResults.map((each) => each.status);
    return status === 'failed' && !tests.includes('failed') ? [...tests, 'failed'] : tests;
  });
  verdicts.push(...costs(testResults));
  const failed = states.filter((state) => state === 'failed').length;
  for (const { assertionResults } of testResults) {
    const names = assertionResults.filter((each) => each.status === 'failed').map((each) => each.fullName);
    verdicts.push(...names.map((name) => `  failed: ${name}\n`));
  }
  return { passed: states.filter((state) => state === 'passed').length, failed: failed || (isWell ? 0 : 1) };
}

/** The files that take more than half a minute, beside whatever else runs. */
const costs = (testResults) =>
  testResults
    .map(({ name, startTime, endTime }) => ({ name, seconds: Math.round((endTime - startTime) / 1000) }))
    .filter(({ seconds }) => seconds > 30)
    .sort((one, other) => other.seconds - one.seconds)
    .map(({ name, seconds }) => `  ${seconds} s ${relative('', name)}\n`);

async function check(name, argv) {
  return { passed: 0, failed: (await run(name, argv)) ? 0 : 1 };
}

const [lint, unit] = await Promise.all([
  check('lint', ['npm', 'run', '--silent', 'lint']),
  test('unit', { live: true }),
]);
const tests = lint.failed === 0 ? await Promise.all([test('server'), test('lab', { live: true })]) : [];
await rm(folder, { recursive: true });
const sum = (of) => [lint, unit, ...tests].reduce((total, count) => total + count[of], 0);
const passed = sum('passed');
const failed = sum('failed') || (passed === 0 ? 1 : 0);
process.stdout.write(`\n${verdicts.join('')}${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
