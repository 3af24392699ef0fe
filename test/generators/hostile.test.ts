import fc from 'fast-check';
import { loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import type { Argument } from '../../generators/cluster/cluster.ts';
import { render } from '../../generators/render.ts';
import { arbitraryKubeadm } from '../support/definitions/arbitrary-clusters.ts';
import { templates } from '../support/definitions/templates.ts';

interface Document {
  readonly kind: string;
  readonly [field: string]: unknown;
}

test('kubeadm, kubelet and kube-proxy are told the very values of the definition, hostile ones included', () => {
  fc.assert(
    fc.property(arbitraryKubeadm, (cluster) => {
      const files = render(cluster, templates);
      const text = files.find(({ path }) => path === 'files/kubernetes-settings/kubeadm.yaml.j2')?.text ?? '';
      const documents = loadAll(text) as readonly Document[];
      const of = (kind: string): Document | undefined => documents.find((document) => document.kind === kind);
      expect(of('KubeletConfiguration')).toMatchObject(cluster.kubernetes.kubelet);
      expect(of('KubeProxyConfiguration')).toMatchObject(cluster.kubernetes.kubeProxy);
      const { apiServer, scheduler } = cluster.kubernetes.extraArguments;
      expect(argumentsOf(of('ClusterConfiguration')?.['apiServer'])).toEqual(
        expect.arrayContaining([...apiServer]),
      );
      expect(argumentsOf(of('ClusterConfiguration')?.['scheduler'])).toEqual(
        expect.arrayContaining([...scheduler]),
      );
    }),
    { numRuns: 60 },
  );
});

const argumentsOf = (component: unknown): readonly Argument[] =>
  (component as { readonly extraArgs?: readonly Argument[] } | undefined)?.extraArgs ?? [];
