// What `npm test` runs: unit tests, then those with a server beside those with hosts, which mostly wait for each other's
// machines. The last line is `N passed, N failed`.
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const folder = await mkdtemp(join(tmpdir(), 'playsmith-tests-'));
const report = (project) => join(folder, `${project}.json`);

/** Runs the tests of a project; what they print is shown as it comes, or in one piece at their end. */
function run(project, { live }) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report(project)}`];
  const child = spawn('npx', ['vitest', 'run', '--project', project, ...reporters], {
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
    env: live ? process.env : { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
  });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => printed.push(bytes));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(printed));
      resolve(code === 0);
    });
  });
}

/** How many tests of a project passed and failed; a file that could not be loaded, or a project without a report, is a failure. */
async function countOf(project, isWell) {
  const { testResults = [] } = await readFile(report(project), 'utf8').then(JSON.parse, () => ({}));
  const states = testResults.flatMap(({ status, assertionResults }) => {
    const tests = assertionResults.map((each) => each.status);
    return status === 'failed' && !tests.includes('failed') ? [...tests, 'failed'] : tests;
  });
  const failed = states.filter((state) => state === 'failed').length;
  return {
    passed: states.filter((state) => state === 'passed').length,
    failed: isWell ? failed : failed || 1,
  };
}

const unit = await run('unit', { live: true });
const [server, lab] = await Promise.all([run('server', { live: false }), run('lab', { live: true })]);
const counts = await Promise.all([countOf('unit', unit), countOf('server', server), countOf('lab', lab)]);
await rm(folder, { recursive: true });
const sum = (of) => counts.reduce((total, count) => total + count[of], 0);
process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed\n`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
