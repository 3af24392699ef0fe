import type { Cluster } from '../cluster/cluster.ts';
import { defaults } from '../definition/defaults.ts';
import type { Definition } from '../definition/schema/schema.ts';

/** What the definition says of packages of the operating system; nothing where it says nothing. */
export const resolvePatch = ({ patch: written, installer }: Definition): Pick<Cluster, 'patch'> =>
  written === undefined || installer?.kubeadm === undefined
    ? {}
    : {
        patch: {
          packages: Object.fromEntries(
            Object.entries(written.packages).toSorted(([one], [other]) => (one < other ? -1 : 1)),
          ),
          rebootAfter: [...new Set(written.rebootAfter ?? [])].toSorted(),
          workersAtOnce: written.workersAtOnce ?? defaults.patch.workersAtOnce,
        },
      };
