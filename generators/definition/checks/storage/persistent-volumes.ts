import { isInside } from '../../../cluster/storage-exports.ts';
import { readManifest } from '../../storage/manifests.ts';
import type { StorageFact } from '../../derived.ts';
import { fileText } from '../../files.ts';
import { problemAt, warning, type Finding, type Path } from '../../../source/finding.ts';
import { nearest } from '../../../source/nearest.ts';
import { hasGap } from '../../gaps.ts';
import type { Facts } from '../facts.ts';
import { repetitions } from '../node/repeated.ts';

interface VolumeName {
  readonly path: Path;
  readonly name: string | undefined;
}

/** PersistentVolumes have names of their own and lead to exports, those of the user's manifests too. */
export function persistentVolumes(servers: readonly StorageFact[], facts: Facts): readonly Finding[] {
  const described = servers.flatMap(({ path, written }) =>
    (written.persistentVolumes ?? []).map((volume, index) => ({
      path: [...path, 'persistentVolumes', index, 'name'],
      name: volume?.name,
    })),
  );
  const files = servers.flatMap((server) => manifestsOf(server, facts));
  return [
    ...twice([...described, ...files.flatMap(({ volumes }) => volumes)]),
    ...servers.flatMap(ofDescribed),
    ...files.flatMap(({ findings }) => findings),
  ];
}

const twice = (all: readonly VolumeName[]): Finding[] =>
  repetitions(all, ({ name }) => name).map(([{ path, name = '' }]) =>
    problemAt(path, `there is already a PersistentVolume ${name}`, 'a name that no other has'),
  );

function ofDescribed({ path, written }: StorageFact): Finding[] {
  const known = exportedBy(written);
  return (written.persistentVolumes ?? []).flatMap((volume, index) => {
    const at = [...path, 'persistentVolumes', index];
    const folder = volume?.export;
    return [
      ...(folder === undefined || known === undefined || known.includes(folder)
        ? []
        : [
            problemAt(
              [...at, 'export'],
              `the server exports no ${folder}`,
              nearest(folder, known) ??
                (known.join(' or ') || `- { path: ${folder}, to: … } below \`exports\``),
            ),
          ]),
      ...(volume?.reclaimPolicy === 'Delete'
        ? [
            warning(
              [...at, 'reclaimPolicy'],
              'nothing deletes folders of an NFS server, so the volume fails when its claim is deleted',
              'Retain',
            ),
          ]
        : []),
    ];
  });
}

/** Undefined: something is wrong with one of the folders. */
const exportedBy = (written: StorageFact['written']): readonly string[] | undefined =>
  hasGap(written, 'exports.*.path') ? undefined : (written.exports ?? []).flatMap((each) => each?.path ?? []);

function manifestsOf(
  { path, written }: StorageFact,
  { files }: Facts,
): { readonly volumes: readonly VolumeName[]; readonly findings: readonly Finding[] }[] {
  const known = exportedBy(written);
  return (written.manifests ?? []).flatMap((file, index) =>
    file === undefined ? [] : [manifestOf(file, { at: [...path, 'manifests', index], known, files })],
  );
}

interface VolumeContext {
  readonly at: Path;
  /** Folders that are exported; undefined: something is wrong with one of them. */
  readonly known: readonly string[] | undefined;
  readonly files: Facts['files'];
}

function manifestOf(
  file: string,
  { at, known, files }: VolumeContext,
): ReturnType<typeof manifestsOf>[number] {
  const text = fileText(files, file);
  if (!text.ok) return { volumes: [], findings: [problemAt(at, text.failure, 'a file that is there')] };
  const { volumes, problems } = readManifest(text.value, file);
  const astray = volumes.filter(
    ({ path }) => known !== undefined && !known.some((folder) => isInside(path, folder)),
  );
  return {
    volumes: volumes.map(({ name }) => ({ path: at, name })),
    findings: [
      ...problems.map(({ place, wrong, right }) => problemAt(at, `${place}: ${wrong}`, right)),
      ...astray.map(({ name, path }) =>
        problemAt(
          at,
          `${file}: ${name} leads to ${path}, which the server does not export`,
          known?.length ? known.join(' or ') : `- { path: ${path}, to: … } below \`exports\``,
        ),
      ),
    ],
  };
}
