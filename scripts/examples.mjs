// Renders every definition of examples/ into playbooks/, as a person would.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

for (const file of readdirSync('examples').filter((name) => name.endsWith('.yml')))
  execFileSync(process.execPath, ['dist/tasks/cli.js', 'render', '--quiet', '--file', `examples/${file}`], {
    stdio: 'inherit',
  });
