import type { OpenStackAnsibleMagnum } from '../../cluster/cluster.ts';
import {
  backportsOf,
  controlPlanePackages,
  deployHostPackages,
  magnumSource,
  pythonTools,
  rolesFolder,
  systemPackages,
} from '../../catalog/openstack-ansible/offline/packages.ts';
import type { DataByName } from '../../data-file.ts';

/** Packages for which a folder is known, as `osa-mirror` is told of them. */
export function mirroredPackages(osa: OpenStackAnsibleMagnum): DataByName {
  const { crates, python, packages, repositories } = osa.offline;
  const driver = repositories.find(({ target }) => target === osa.driverSource)?.source ?? osa.driverSource;
  const collections = osa.layout === 'ops' ? deployHostPackages : [];
  return {
    ...(crates.folder === ''
      ? {}
      : {
          crates: {
            repository: driver,
            version: osa.versions.driver,
            publisher: 'https://index.crates.io',
            directory: crates.folder,
            url: crates.url,
          },
        }),
    ...(python.folder === ''
      ? {}
      : {
          python: {
            directory: python.folder,
            url: python.url,
            interpreter: '/opt/ansible-runtime/bin/python',
            ansible: [...pythonTools, `--requirement=${osa.checkout}/requirements.txt`, ...collections],
            control_plane: controlPlanePackages,
            magnum: [...pythonTools, 'uWSGI', 'kubernetes', `git+${driver}@${osa.versions.driver}`],
            magnum_source: magnumSource,
          },
        }),
    ...(packages.folder === ''
      ? {}
      : {
          packages: {
            directory: packages.folder,
            roles: [rolesFolder, '/etc/ansible/ansible_collections'],
            names: systemPackages,
            backports: backportsOf(osa.layout),
          },
        }),
  };
}

/** What `osa-mirror` itself depends on. */
export const mirrorView = (osa: OpenStackAnsibleMagnum) => ({
  crates: osa.offline.crates.folder !== '',
  python: osa.offline.python.folder !== '',
  packages: osa.offline.packages.folder !== '',
});
