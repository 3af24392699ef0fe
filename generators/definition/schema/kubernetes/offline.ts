import { directory } from '../judges.ts';
import { map, text } from '../key.ts';
import { sha256 } from './kubernetes-judges.ts';

export const offline = map(
  {
    artifacts: text(directory, {
      description: 'The folder **on the Ansible server** that `npx task artifacts` made',
      examples: ['/srv/artifacts'],
    }),
    sha256: text(sha256, {
      description: 'The SHA-256 checksum of its file `SHA256SUMS`, which `npx task artifacts` prints',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  },
  {
    description: 'Everything that is installed comes from one folder, and nothing from any other network',
    examples: [{ artifacts: '/srv/artifacts', sha256: '…' }],
    absent: 'packages and images come from the internet, or from the mirrors that are named',
  },
);
