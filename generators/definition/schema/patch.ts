import * as z from 'zod';
import { defaults } from '../defaults.ts';
import { matching } from './judges.ts';
import { free, list, map, text, whole, type KeyVerdict } from './key.ts';

const packageName = matching(
  /^[a-z0-9][a-z0-9+.-]+$/,
  'a name of a Debian package, without its architecture',
  'openssl or libssl3',
);

/** As `dpkg-query` prints it: an epoch, the version, a revision. */
const packageVersion = matching(
  /^(?:\d+:)?\d[A-Za-z0-9.+~:-]*$/,
  'an exact version of a Debian package',
  '3.0.17-1~deb12u3, as `apt-cache policy` shows it',
);

export const patch = map(
  {
    packages: free(
      z.string().meta({ description: 'Its exact version', examples: ['3.0.17-1~deb12u3'] }),
      (packages) => [
        ...(Object.keys(packages).length === 0
          ? [{ path: [], wrong: 'no package is listed', right: 'openssl: 3.0.17-1~deb12u3' }]
          : []),
        ...Object.entries(packages).flatMap(([name, version]): KeyVerdict[] => {
          const verdict = packageName(name) ?? packageVersion(String(version));
          return verdict ? [{ ...verdict, path: [name] }] : [];
        }),
      ],
      {
        description:
          'Packages of the operating system, each at its exact version. A machine that does not have a package does not get it',
        examples: [{ openssl: '3.0.17-1~deb12u3', libssl3: '3.0.17-1~deb12u3' }],
      },
    ),
    rebootAfter: list(text(packageName, { description: 'One of `packages`', examples: ['libc6'] }), {
      description:
        'Packages after which a machine is rebooted, although it does not say so itself. It is after a new kernel in any case, and where `/run/reboot-required` is there',
      examples: [['libc6', 'systemd']],
      absent: 'none but those that ask for it themselves',
    }).optional(),
    workersAtOnce: whole(1, 100, {
      description:
        'How many workers are patched side by side. Disruption budgets hold all the same; when one fails, the next ones are left alone',
      examples: [2],
      default: defaults.patch.workersAtOnce,
    }).optional(),
  },
  {
    description:
      'Maintenance of the operating system by `npx task patch`: nodes are drained, packages brought, machines rebooted where they have to be, one after the other',
    examples: [{ packages: { openssl: '3.0.17-1~deb12u3' } }],
    absent: 'packages of the operating system are left alone',
  },
);
