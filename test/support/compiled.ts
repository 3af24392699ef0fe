import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** The sources as JavaScript in a folder of their own, for tests that start a client as a process of its own. */
export function compiled(): string {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-compiled-'));
  for (const room of ['generators', 'library', 'tasks', 'lab', 'test/support'])
    for (const name of readdirSync(room, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.ts')) emit(join(room, name), join(folder, room, name.replace(/\.ts$/, '.js')));
  cpSync('agent', join(folder, 'agent'), { recursive: true });
  cpSync('package.json', join(folder, 'package.json'));
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function emit(from: string, to: string): void {
  const compilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
  };
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, ts.transpileModule(readFileSync(from, 'utf8'), { compilerOptions }).outputText);
}
