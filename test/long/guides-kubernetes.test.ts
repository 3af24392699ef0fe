import { down } from '../../lab/index.ts';
import { must } from '../support/hosts/lab.ts';
import { cutBefore, followed, labSteps } from '../support/hosts/lab-guides.ts';

/** One cluster for both pages: the second goes on where the first has broken and mended it, before that takes it away. */
const [first, away] = cutBefore(labSteps('docs/guides/first-cluster.md'), 'npx task lab down');
const night = labSteps('docs/guides/at-night.md');

followed('docs/guides/first-cluster.md, then docs/guides/at-night.md', [...first, ...night, ...away], {
  before: async () => {
    must(await down('first'));
    return {};
  },
  after: async () => {
    must(await down('first'));
  },
});
