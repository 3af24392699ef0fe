import { labels } from '../../schema/kubespray/free.ts';
import { localPath, name } from '../../schema/judges.ts';
import { list, map, text } from '../../schema/key.ts';

/** The clusters of a fleet; their own definitions say the rest. */
export const fleetClusters = list(
  map(
    {
      name: text(name, {
        description: 'Its name, as its own definition has it',
        examples: ['edge-a'],
      }),
      definition: text(localPath, {
        description: 'Its definition, relative to this one',
        examples: ['clusters/edge-a.yml'],
      }),
      site: text(name, { description: 'The place where it is', examples: ['paris'] }),
      node: text(name, {
        description: 'The execution node of the site that runs it and keeps its lock, bundles and records',
        examples: ['exec01'],
        absent: 'the one of the site; of several, the first that the definition names',
      }).optional(),
      labels: labels({
        description: 'What it can be chosen by',
        examples: [{ tier: 'canary' }],
        absent: 'none',
      }).optional(),
    },
    { description: 'A cluster', examples: [{ name: 'edge-a', definition: 'edge-a.yml', site: 'paris' }] },
  ),
  {
    description: 'The clusters that are run over the mesh',
    examples: [[{ name: 'edge-a', definition: 'edge-a.yml', site: 'paris' }]],
    absent: 'none yet',
  },
);
