import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../library/package.ts';

test('the devcontainer has the oldest Node.js that is supported, and prepares what npm test wants', () => {
  const text = readFileSync(join(packageRoot, '.devcontainer/devcontainer.json'), 'utf8');
  const { image, postCreateCommand } = JSON.parse(text.replaceAll(/^ *\/\/.*$/gm, '')) as {
    readonly image: string;
    readonly postCreateCommand: string;
  };
  const { engines } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    readonly engines: { readonly node: string };
  };
  const [, oldest = ''] = /^\^(\d+\.\d+)\./.exec(engines.node) ?? [];
  expect(image).toBe(`docker.io/library/node:${oldest}-bookworm`);
  expect(postCreateCommand).toBe('npm ci');
});
