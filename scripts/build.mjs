// The command line as few files: modules that start it are loaded at once, a task's own when it is asked for.
// docs/decisions/0025-few-files.md says why, and which packages stay outside.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import ts from 'typescript';
import { external } from './external.mjs';

const outdir = 'dist';

const { metafile } = await build({
  entryPoints: ['tasks/cli.ts', 'tasks/registry.ts', 'library/index.ts', 'generators/engine.ts'],
  outdir,
  outbase: '.',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: external.flatMap((name) => [name, `${name}/*`]),
  // Its entry for Node.js adds a loader of template files and a package that reads source maps.
  alias: { handlebars: './node_modules/handlebars/dist/cjs/handlebars.js' },
  // Packages in the older form ask for Node.js's own modules by this name.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  keepNames: false,
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});

const written = new Set(Object.keys(metafile.outputs));
for (const name of await readdir(join(outdir, 'chunks')))
  if (!written.has(`${outdir}/chunks/${name}`)) await rm(join(outdir, 'chunks', name));
await chmod(join(outdir, 'tasks/cli.js'), 0o755);
await writeFile(join(outdir, 'templates.cjs'), await templates());
await writeFile(join(outdir, 'library/index.d.ts'), await typesOf('library/index.ts'));
await writeFile(join(outdir, 'LICENSES.txt'), await licenses());
await writeFile(join(outdir, 'tasks.json'), JSON.stringify(await tasks()));
await writeFile(join(outdir, 'playsmith.1'), await printed([join(outdir, 'tasks/cli.js'), 'help', 'man']));
await mkdir(join(outdir, 'completions'), { recursive: true });
for (const name of ['task', 'playsmith'])
  for (const [shell, file] of Object.entries({ bash: `${name}.bash`, zsh: `_${name}` }))
    await writeFile(join(outdir, 'completions', file), await completion(name, shell));

/** What a program of Node.js prints. */
async function printed(words, env = {}) {
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: { ...process.env, ...env } });
  return stdout;
}

/** What the task `completion` prints of a command of that name. */
function completion(name, shell) {
  const program = `import yargs from 'yargs';
    yargs().scriptName('${name}').completion('completion').showCompletionScript('${name}');`;
  return printed(['--input-type=module', '--eval', program], { SHELL: `/bin/${shell}` });
}

/** What help and completion say of each task, so that they need not load it. */
async function tasks() {
  const { registry } = await import(pathToFileURL(join(outdir, 'tasks/registry.js')));
  const records = await Promise.all([...registry].map(async ([name, load]) => [name, await load()]));
  return Object.fromEntries(records);
}

/** Each template as JavaScript, by the SHA-256 of its text. */
async function templates() {
  const { precompile } = await import(pathToFileURL(join(outdir, 'generators/engine.js')));
  const paths = (await readdir('templates', { recursive: true }))
    .filter((path) => path.endsWith('.hbs'))
    .sort();
  const texts = await Promise.all(paths.map((path) => readFile(join('templates', path), 'utf8')));
  const made = texts.map((text) => {
    const sum = createHash('sha256').update(text).digest('hex');
    return `  '${sum}': ${precompile(text)},\n`;
  });
  return `module.exports = {\n${[...new Set(made)].join('')}};\n`;
}

/** What a user of the library is checked against: its own types, and none of another module. */
async function typesOf(file) {
  const { outputText, diagnostics } = ts.transpileDeclaration(await readFile(file, 'utf8'), {
    fileName: file,
    compilerOptions: { isolatedDeclarations: true },
    reportDiagnostics: true,
  });
  const wrong = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  if (wrong.length > 0 || /^import /m.test(outputText))
    throw new Error([file, ...wrong, outputText].join('\n'));
  return outputText;
}

/** The licence of every package that became part of these files. */
async function licenses() {
  const folders = new Set(
    Object.keys(metafile.inputs)
      .filter((path) => path.includes('node_modules/'))
      .map((path) => /^(?:.*node_modules\/)(?:@[^/]+\/)?[^/]+/.exec(path)[0]),
  );
  const texts = [...folders].sort().map(async (folder) => {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
    const text = file ? await readFile(join(folder, file), 'utf8') : `Licence: ${license}\n`;
    return `${name} ${version}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}
