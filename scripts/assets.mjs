// tsc copies only TypeScript; the programs that run on other machines travel beside it. Arguments: where to, and more folders.
import { chmod, cp } from 'node:fs/promises';
import { argv } from 'node:process';

const out = argv[2] ?? 'dist';
for (const folder of ['tasks/runtime/server', 'lab/files', ...argv.slice(3)])
  await cp(folder, `${out}/${folder}`, { recursive: true, filter: (name) => !name.endsWith('.ts') }).catch(
    (error) => {
      if (error.code !== 'ENOENT') throw error;
    },
  );
await chmod(`${out}/tasks/cli.js`, 0o755);
