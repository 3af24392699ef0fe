import { failed, ok, type Result } from '../../generators/result.ts';
import type { Text } from '../../generators/source/foreign/node.ts';
import type { Failure } from '../runtime/failures.ts';
import { lastLines, program, type ProgramFailure } from '../runtime/program.ts';

/**
 * What kubectl prints of a running cluster, which is only read: nodes, what kubeadm keeps of it, static pods, DaemonSets. No
 * Secret and no other ConfigMap is asked for.
 */
export async function readCluster(
  kubeconfig: string,
  cwd: string,
): Promise<Result<readonly Text[], Failure>> {
  const texts: Text[] = [];
  for (const [file, words] of questions) {
    const asked = await program(['kubectl', '--kubeconfig', kubeconfig, ...words, '--output', 'json'], {
      cwd,
    });
    if (!asked.ok) return failed(failureOf(asked.failure));
    // Of what is named and is not there, kubectl prints nothing.
    if (asked.value.stdout.trim() !== '') texts.push({ file, text: asked.value.stdout });
  }
  return ok(texts);
}

const system = ['--namespace', 'kube-system'];

const questions = [
  ['nodes.json', ['get', 'nodes']],
  [
    'configmaps.json',
    ['get', 'configmaps', ...system, '--ignore-not-found', 'kubeadm-config', 'kubelet-config', 'kube-proxy'],
  ],
  [
    'flannel.json',
    ['get', 'configmaps', '--all-namespaces', '--field-selector', 'metadata.name=kube-flannel-cfg'],
  ],
  ['pods.json', ['get', 'pods', ...system, '--selector', 'tier=control-plane']],
  ['daemonsets.json', ['get', 'daemonsets', '--all-namespaces']],
] as const;

const failureOf = (failure: ProgramFailure): Failure => ({
  kind: 'connection',
  message: [failure.message, lastLines(failure)].filter((line) => line !== '').join('\n'),
  next: failure.message.endsWith('is not installed')
    ? 'Install kubectl, or import what it prints elsewhere: npx task import cluster *.json (docs/import.md says which)'
    : 'kubectl get nodes, with the same kubeconfig, says more',
});
