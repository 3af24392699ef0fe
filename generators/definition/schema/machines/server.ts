import * as z from 'zod';
import { defaults } from '../../defaults.ts';
import { publicKeyOrFingerprint } from './host-key.ts';
import { newestOf, wheelOf, type PythonProgram } from '../../../catalog/python/requirements.ts';
import { absolutePath, directory, host, jumpHost, release, show, user } from '../judges.ts';
import { choice, map, oneOf, text, whole, type ValueJudge } from '../key.ts';
import { secret } from '../secret.ts';

const auth = oneOf(
  {
    privateKey: text(absolutePath, {
      description: 'A private key on this machine',
      examples: ['~/.ssh/id_ed25519'],
    }).optional(),
    password: secret('The login password', 'ANSIBLE_SERVER_PASSWORD').optional(),
    agent: z
      .literal(true)
      .meta({ description: 'Keys of the SSH agent only', examples: [true] })
      .optional(),
    passphrase: secret('The passphrase of the private key', 'KEY_PASSPHRASE').optional(),
  },
  {
    description: 'How to log in: one of `privateKey`, `password`, `agent`',
    examples: [{ privateKey: '~/.ssh/id_ed25519' }],
    absent: "the agent, then the keys that `~/.ssh/config` names, then OpenSSH's default keys",
  },
  ['privateKey', 'password', 'agent'],
);

/** pip installs only what has the checksum that is known here. */
const withWheel =
  (program: PythonProgram): ValueJudge<string> =>
  (value) =>
    release(value) ??
    (wheelOf(program, value) === undefined
      ? {
          wrong: `${show(value)} is no version of ${program} whose checksum is known here`,
          right: `the newest that are known: ${newestOf(program).join(', ')}`,
        }
      : undefined);

const venv = map(
  {
    ansibleCore: text(withWheel('ansible-core'), { description: 'The version of ansible-core, exactly', examples: ['2.17.14'] }),
    ansibleRunner: text(withWheel('ansible-runner'), { description: 'The version of ansible-runner, exactly', examples: ['2.4.1'] }),
  },
  {
    description: 'A virtual environment in `directory`, filled by pip with exactly these versions, and what they need, each by its checksum',
    examples: [{ ansibleCore: '2.17.14', ansibleRunner: '2.4.1' }],
  },
);

const ansible = z
  .union([choice(['packages'], { description: "The distribution's own packages" }), map({ venv }, { description: 'By pip' })])
  .meta({
    description: 'How `npx task bootstrap` installs Ansible and ansible-runner there',
    examples: ['packages', { venv: { ansibleCore: '2.17.14', ansibleRunner: '2.4.1' } }],
    default: 'packages',
  });

const remote = map(
  {
    host: text(host, {
      description: 'Its name or address, or a `Host` of your `~/.ssh/config`',
      examples: ['192.0.2.5'],
    }),
    port: whole(1, 65535, {
      description: 'The port of its sshd',
      examples: [22],
      absent: 'what `~/.ssh/config` says, else 22',
    }).optional(),
    user: text(user, {
      description: 'The user to log in as. Needs no root: playbooks become root on the nodes, not here',
      examples: ['ansible'],
      absent: 'what `~/.ssh/config` says, else your own name',
    }).optional(),
    auth: auth.optional(),
    hostKey: text(publicKeyOrFingerprint, {
      description: 'The host key that it must present: a fingerprint or the whole public key',
      examples: ['SHA256:XScFhfY9QZFlzIYUGXemnXdzPLTJ+EtTyXXdpzRx6x0'],
      absent: 'your known_hosts decides',
    }).optional(),
    proxyJump: text(jumpHost, {
      description: 'The jump host on the way there, as OpenSSH writes it',
      examples: ['ubuntu@bastion.example.org:22'],
      absent: 'what `~/.ssh/config` says',
    }).optional(),
    directory: text(directory, {
      description: 'Where bundles, runs, locks and records live there. `~/` is the home of the user that logs in',
      examples: ['/opt/playsmith'],
      default: defaults.serverDirectory,
    }).optional(),
    retention: map(
      {
        runs: whole(1, 100_000, {
          description: 'How many of the latest runs are kept, however old',
          examples: [50],
          default: defaults.retention.runs,
        }).optional(),
        days: whole(0, 36_500, {
          description: 'How many days each run is kept, however many there are',
          examples: [90],
          default: defaults.retention.days,
        }).optional(),
      },
      {
        description:
          'What `npx task gc` keeps of a cluster; nothing is removed without it. Bundles that no kept run and nothing applied names go too',
        examples: [{ runs: 50, days: 90 }],
      },
    ).optional(),
    becomePassword: secret('The password for sudo there; only `npx task bootstrap` needs root', 'ANSIBLE_SERVER_SUDO')
      .optional(),
    ansible: ansible.optional(),
  },
  { description: 'A server that is reached over SSH', examples: [{ host: '192.0.2.5', user: 'ansible' }] },
);

export const ansibleServer = z.union([z.literal('local'), remote]).meta({
  description:
    'The machine that has Ansible and reaches the nodes. `local`: this machine, without SSH; its files live in `~/playsmith`',
  examples: ['local', { host: '192.0.2.5', user: 'ansible' }],
});
