import { directory } from '../../schema/judges.ts';
import { map, text } from '../../schema/key.ts';
import { osaDefaults } from '../defaults.ts';
import { gitPlace, httpUrl, registryPrefix } from '../judges.ts';

export const offline = map(
  {
    registry: text(registryPrefix, {
      description:
        'A registry, and a path in it, that hosts and nodes reach: HTTPS, signed by an authority that they trust',
      examples: ['registry.example.org/osa'],
    }),
    files: text(httpUrl, {
      description: 'Where a web server offers the files of `directory`',
      examples: ['https://mirror.example.org/osa'],
    }),
    git: text(httpUrl, {
      description: 'Copies of git repositories, each as `<owner>/<name>` below it',
      examples: ['https://git.example.org/mirror'],
    }),
    gitPush: text(gitPlace, {
      description:
        'Where `osa-mirror` copies them to, each as `<owner>/<name>` below it: a directory of the deploy host that `git` offers, or a URL that its root may push to',
      examples: ['/srv/mirror/git', 'ssh://git@git.example.org/mirror'],
      absent: 'they are copied by whoever keeps `git`, and `osa-mirror` looks for them',
    }).optional(),
    cargo: text(httpUrl, {
      description:
        'A sparse index of crates, with which drivers from v0.25 on are built; below `files`, `osa-mirror` makes it',
      examples: ['https://mirror.example.org/osa/crates'],
      absent: 'none, as older drivers need none',
    }).optional(),
    python: text(httpUrl, {
      description:
        'An index of Python packages, which hosts have in their `pip.conf`; below `files`, `osa-mirror` makes it',
      examples: ['https://mirror.example.org/osa/python'],
      absent: 'they come from where OpenStack-Ansible is told to take them',
    }).optional(),
    packages: text(httpUrl, {
      description:
        'An archive of packages of Debian or Ubuntu, which hosts have in their `sources.list`; below `files`, `osa-mirror` makes it',
      examples: ['https://mirror.example.org/osa/packages'],
      absent: 'they come from where OpenStack-Ansible is told to take them',
    }).optional(),
    directory: text(directory, {
      description: 'Where `osa-mirror` puts files on the deploy host',
      examples: ['/srv/mirror/osa'],
      default: osaDefaults.mirrorDirectory,
    }).optional(),
  },
  {
    description: 'Everything from mirrors of your own, nothing from the internet',
    examples: [{ registry: 'registry.example.org/osa' }],
    absent: 'from their publishers',
  },
);
