import { failed, type Result } from '../../result.ts';
import { fieldAt, isTrue } from '../../source/foreign/look.ts';
import { wrongAt, type Text } from '../../source/foreign/node.ts';
import {
  conclude,
  type ImportedDefinition,
  type RefusedImport,
  type ConclusionSettings,
} from '../conclude.ts';
import { part, type ImportPart } from '../part.ts';
import { argumentsPart, portOf } from './arguments.ts';
import { componentsPart } from './components.ts';
import { endpointPart } from './endpoint.ts';
import { nodesPart } from './machines.ts';
import { pluginPart } from './network.ts';
import { nameOf, readObjects, type Objects } from './objects.ts';
import { settingsPart, versionOf } from './settings.ts';

/** A definition of a running cluster that kubeadm made, from what kubectl prints of it. */
export function importCluster(
  texts: readonly Text[],
  setting: ConclusionSettings,
): Result<ImportedDefinition, RefusedImport> {
  const read = readObjects(texts);
  if (!read.ok) return failed({ problems: read.failure, draft: '' });
  const objects = read.value;
  const port = portOf(objects);
  return conclude(
    [
      settingsPart(objects, setting.wishes),
      etcdPart(objects),
      kubeProxyPart(objects),
      endpointPart(objects, port, setting.wishes),
      part({ pieces: port === 6443 ? [] : [{ path: ['network', 'apiServerPort'], value: port }] }),
      pluginPart(objects),
      argumentsPart(objects),
      componentsPart(objects),
      nodesPart(objects, versionOf(objects.kubeadm), setting.wishes),
    ],
    { ...setting, sources: texts.map(({ file }) => file), name: '' },
  );
}

/** Members of etcd are the control planes; one of its own is nothing that the playbooks manage. */
function etcdPart({ kubeadm }: Objects): ImportPart {
  const external = fieldAt(kubeadm, 'etcd', 'external');
  return part({
    problems: external
      ? [
          wrongAt(
            external.place,
            'etcd runs outside of this cluster',
            'etcd on the control planes, as kubeadm has it',
          ),
        ]
      : [],
  });
}

/** The playbooks would install one beside whatever stands in for it. */
function kubeProxyPart({ kubeadm, daemonSets }: Objects): ImportPart {
  const disabled = fieldAt(kubeadm, 'proxy', 'disabled');
  const isThere = daemonSets.length === 0 || daemonSets.some((each) => nameOf(each) === 'kube-proxy');
  const place = isTrue(disabled) ? disabled?.place : isThere ? undefined : daemonSets[0]?.place;
  return part({
    problems:
      place === undefined
        ? []
        : [
            wrongAt(
              place,
              'this cluster runs without kube-proxy, and the playbooks would install it',
              'a cluster with the kube-proxy of kubeadm',
            ),
          ],
  });
}
