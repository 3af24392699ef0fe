import { describe, expect, test } from 'vitest';
import { judgeKind } from '../../../../generators/catalog/kubernetes/kinds.ts';

const judged = (apiVersion: string, kind: string, version: string) =>
  judgeKind({ apiVersion, kind }, version);

describe('a kind', () => {
  test.each([
    ['apps/v1', 'Deployment', '1.20.2', 'namespaced'],
    ['v1', 'Namespace', '1.37.0', 'cluster'],
    ['rbac.authorization.k8s.io/v1', 'ClusterRole', '1.34.1', 'cluster'],
    ['batch/v1beta1', 'CronJob', '1.20.2', 'namespaced'],
    ['batch/v1beta1', 'CronJob', '1.24.9', 'namespaced'],
    ['batch/v1', 'CronJob', '1.21.0', 'namespaced'],
    ['autoscaling/v2', 'HorizontalPodAutoscaler', '1.23.0', 'namespaced'],
    ['networking.k8s.io/v1beta1', 'Ingress', '1.21.14', 'namespaced'],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', '1.29.0', 'cluster'],
  ])('%s %s is known in %s', (apiVersion, kind, version, scope) => {
    expect(judged(apiVersion, kind, version)).toEqual({ known: true, scope });
  });

  test.each([
    ['batch/v1beta1', 'CronJob', '1.25.0', 'was removed in Kubernetes 1.25', 'batch/v1'],
    ['batch/v1', 'CronJob', '1.20.2', 'comes with Kubernetes 1.21', 'batch/v1beta1'],
    ['extensions/v1beta1', 'Deployment', '1.20.2', 'was removed in Kubernetes 1.16', 'apps/v1'],
    ['extensions/v1beta1', 'Ingress', '1.22.0', 'was removed in Kubernetes 1.22', 'networking.k8s.io/v1'],
    ['policy/v1beta1', 'PodSecurityPolicy', '1.25.0', 'was removed in Kubernetes 1.25', ''],
    ['apps/v1', 'Deploymnet', '1.34.1', 'Kubernetes itself has no Deploymnet of apps/v1', ''],
    ['cert-manager.io/v1', 'Certificate', '1.34.1', 'Kubernetes itself has no Certificate', ''],
  ])('%s %s is not known in %s, and it is said where it is', (apiVersion, kind, version, why, instead) => {
    expect(judged(apiVersion, kind, version)).toMatchObject({
      known: false,
      why: expect.stringContaining(why) as string,
      instead,
    });
  });
});
