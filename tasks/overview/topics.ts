/** What `npx task help <topic>` tells about; each but what the program tells itself is the page of that name in docs/topics/. */
export const topics = {
  definition: 'the file that you write, its kinds, and where every key is explained',
  review: 'what has to be committed and approved before anything runs',
  secrets: 'references to secrets, and where their values go',
  scopes: 'which machines a run is about: targets, limits, tags',
  'life-cycle': 'plan, apply, resume and drift, and what is applied',
  'exit-codes': 'what the exit codes mean',
  man: 'all of it as a page for man(1): npx task help man | man -l -',
  environment: 'variables and files on this machine that a task reads or writes',
} as const;

export type Topic = keyof typeof topics;

export const isTopic = (word: string): word is Topic => Object.hasOwn(topics, word);
