import type * as z from 'zod';
import { list, map, oneOf, text } from './key.ts';
import { environmentName, localPath, variableName, word } from './judges.ts';

const sources = {
  env: text(environmentName, {
    description: 'An environment variable on the machine where the task is started',
    examples: ['KEEPALIVED_PASSWORD'],
  }).optional(),
  file: text(localPath, {
    description: 'A file; its whole text, without the line end, is the secret. Relative to the definition',
    examples: ['secrets/keepalived'],
  }).optional(),
  command: list(text(word, { description: 'A word of the command', examples: ['pass'] }), {
    description: 'A command, started without a shell; its first line of output is the secret',
    examples: [['pass', 'show', 'edge-a/keepalived']],
  }).optional(),
};

const vault = map(
  {
    file: text(localPath, {
      description: 'A file made with ansible-vault; safe in git. Relative to the definition',
      examples: ['secrets.vault.yml'],
    }),
    key: text(variableName, { description: 'The key in that file', examples: ['keepalived_password'] }),
    password: oneOf(sources, {
      description: 'Where the password of that file comes from',
      examples: [{ env: 'VAULT_PASSWORD' }],
    }),
  },
  { description: 'A key of an Ansible Vault file', examples: [{ file: 'secrets.vault.yml', key: 'keepalived_password' }] },
).optional();

const shape = { ...sources, vault };

/** A secret is never written in a definition: it says where the secret comes from. */
export const secret = (description: string, example = 'PLAYSMITH_SECRET'): z.ZodObject<typeof shape, z.core.$strict> =>
  oneOf(shape, { description, examples: [{ env: example }] });

export type SecretSource = z.output<ReturnType<typeof secret>>;
