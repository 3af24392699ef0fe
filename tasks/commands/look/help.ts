import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ok } from '../../../generators/result.ts';
import { exitCodeTable } from '../../runtime/catalogue.ts';
import { asTyped } from '../../runtime/command-name.ts';
import { packageRoot, version } from '../../runtime/package.ts';
import { task } from '../../task.ts';
import { taskEntries } from '../../overview/task-list.ts';
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
    print(json ? JSON.stringify({ topic: about, text }) : asTyped(text));
    return ok(undefined);
  },
});

/** Exit codes and all of it are told by the program, everything else is a page of the documentation, as it is. */
async function textOf(topic: Topic): Promise<string> {
  if (topic === 'exit-codes') return exitCodeTable();
  return topic === 'man' ? manual() : pageOf(topic);
}

const pageOf = (topic: Topic): Promise<string> =>
  readFile(join(packageRoot, 'docs', 'topics', `${topic}.md`), 'utf8');

async function manual(): Promise<string> {
  const { manPage } = await import('../../overview/man-page.ts');
  const tasks = Object.values(await taskEntries());
  return manPage({ version, tasks, environment: await pageOf('environment') });
}
