import { extraPlaybookNames } from '../../cluster/extra-playbooks.ts';
import { choice, list } from './key.ts';

export const extraPlaybooks = list(
  choice([...extraPlaybookNames], {
    description:
      '`conformance`: for `npx task verify --conformance`; `etcd-defragment`: for `npx task run etcd-defragment`; `tacker-vim`: for `npx task export tacker-vim`',
    examples: ['tacker-vim'],
  }),
  {
    description: 'Playbooks that no operation runs, and that are only rendered where somebody wants them',
    examples: [['conformance', 'tacker-vim']],
    absent: 'none',
  },
);
