import { keyWarning, problemAt, type Finding } from '../../../source/finding.ts';
import { fileText } from '../../files.ts';
import { fieldsOf, readObjects, type ManifestObject } from '../../manifests/objects.ts';
import { hole, type Facts } from '../facts.ts';

const at = ['installer', 'kubeadm', 'externalCloudProvider'];
const taint = 'node.cloudprovider.kubernetes.io/uninitialized';

/** A cluster whose nodes wait for a controller gets one, which can start there, and which git may hold. */
export function cloudProvider(facts: Facts): readonly Finding[] {
  const kubeadm = facts.draft.installer?.kubeadm;
  const written = kubeadm?.externalCloudProvider;
  if (!written || hole(written, 'manifests')) return [];
  return written.manifests === undefined ? [nobody] : contents(facts, written.manifests);
}

const nobody = keyWarning(
  at,
  `nobody initialises the nodes: CoreDNS and all usual pods wait, and \`instantiate\` fails at \`verify\`, until you have applied a cloud controller manager`,
  '`manifests`, with the one of your cloud',
);

function contents({ files }: Facts, manifests: readonly (string | undefined)[]): readonly Finding[] {
  const read = manifests.flatMap((path, index) => {
    if (path === undefined) return [];
    const place = [...at, 'manifests', index];
    const text = fileText(files, path);
    if (!text.ok) return { place, objects: [], faults: [problemAt(place, text.failure, remedy)] };
    const { objects, problems } = readObjects(text.value, path);
    const faults = problems.map((each) => problemAt(place, `${each.place}: ${each.wrong}`, each.right));
    return { place, objects, faults: [...faults, ...secrets(objects, place)] };
  });
  const faults = read.flatMap((each) => each.faults);
  return faults.length > 0 ||
    manifests.includes(undefined) ||
    read.some(({ objects }) => objects.some(canStart))
    ? faults
    : [stuck];
}

const remedy = 'the manifests that the project of the controller publishes';

const secrets = (
  objects: readonly ManifestObject[],
  place: readonly (string | number)[],
): readonly Finding[] =>
  objects.some(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Secret')
    ? [
        problemAt(
          place,
          'a Secret is in it, and the bundle is for everybody who reads the repository',
          '`cloudConfig`, which says where the text of cloud.conf is kept',
        ),
      ]
    : [];

const stuck = problemAt(
  [...at, 'manifests'],
  `no DaemonSet or Deployment in them tolerates ${taint}, so the controller would wait for itself`,
  `the manifest of a cloud controller manager, whose pods have \`tolerations: [{ key: ${taint}, operator: Exists }]\``,
);

/** Whether its pods start on nodes that wait for it. */
function canStart({ kind, object }: ManifestObject): boolean {
  if (kind !== 'DaemonSet' && kind !== 'Deployment') return false;
  const { tolerations } = fieldsOf(fieldsOf(fieldsOf(fieldsOf(object['spec'])['template']))['spec']);
  return (
    Array.isArray(tolerations) &&
    tolerations
      .map(fieldsOf)
      .some(({ key, operator }) => key === taint || (key === undefined && operator === 'Exists'))
  );
}
