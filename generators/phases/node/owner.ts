import { renderedFile, type Phase } from '../phase.ts';

/** Whose hosts they are; changes it only when somebody asks for exactly that. */
export const owner: Phase = {
  name: 'owner',
  what: 'Show to which cluster each host belongs; adopt hosts of another cluster, or release them',
  hosts: 'all',
  tags: [{ name: 'owner', what: 'everything' }],
  applies: () => true,
  run: 'asked',
  parameters: [
    {
      variable: 'owner_action',
      what: 'what to do, show when not given',
      required: false,
      pattern: 'show|adopt|release',
      example: 'adopt',
    },
    {
      variable: 'owner_former',
      what: 'for adopt, the cluster to which the hosts belong until now',
      required: false,
      pattern: '[a-z][a-z0-9-]{0,62}',
      example: 'edge-old',
    },
  ],
  render: (_, fill) => [renderedFile('owner.yml', fill('owner/owner.yml.hbs', {}))],
};
