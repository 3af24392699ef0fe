import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ok } from '../../../generators/result.ts';
import { exitCodeTable } from '../../runtime/catalogue.ts';
import { packageRoot } from '../../runtime/package.ts';
import { task } from '../../task.ts';
import { isTopic, topics, type Topic } from '../../overview/topics.ts';

/** Without a topic, and with the name of a task, the command line has answered already. */
export const help = task({
  name: 'help',
  positionals: '[about]',
  example: 'help secrets',
  options: {
    about: { type: 'string', default: '', describe: `A task, or a topic: ${Object.keys(topics).join(', ')}` },
  },
  run: async ({ about }, { json, print }) => {
    const text = await textOf(isTopic(about) ? about : 'definition');
    print(json ? JSON.stringify({ topic: about, text }) : text);
    return ok(undefined);
  },
});

/** Exit codes are a table of the program, everything else is a page of the documentation, as it is. */
const textOf = async (topic: Topic): Promise<string> =>
  topic === 'exit-codes'
    ? exitCodeTable()
    : readFile(join(packageRoot, 'docs', 'topics', `${topic}.md`), 'utf8');
