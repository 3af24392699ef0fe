import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../tasks/runtime/package.ts';
import { readableStack } from '../../../tasks/runtime/readable-stack.ts';

test('names the places in the sources of what was put together', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-stack-'));
  const source = join(folder, 'source.ts');
  writeFileSync(
    source,
    'const one: number = 1;\n\nexport function fails(): never {\n  throw new Error(`no ${one}`);\n}\nfails();\n',
  );
  const outfile = join(folder, 'out.js');
  await build({
    ...{ entryPoints: [source], outfile, format: 'esm', minifyWhitespace: true },
    ...{ sourcemap: 'linked', sourcesContent: false, logLevel: 'silent' },
  });
  const script = `import(${JSON.stringify(outfile)}).catch((error) => process.stdout.write(error.stack))`;
  const stack = execFileSync(process.execPath, ['--eval', script], { encoding: 'utf8' });
  expect(stack).toContain('out.js:');
  const error = Object.assign(new Error('no 1'), { stack });
  const readable = await readableStack(error);
  expect(readable).toContain(`at fails (${relative(packageRoot, source)}:4:9)`);
  expect(readable).not.toContain('out.js');
});

test('leaves alone what has no map, and what is no error', async () => {
  const error = new Error('here');
  expect(await readableStack(error)).toContain('readable-stack.test.ts');
  expect(await readableStack('a text')).toBe('a text');
});
