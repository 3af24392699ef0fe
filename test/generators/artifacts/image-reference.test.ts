import { expect, test } from 'vitest';
import { imageNames, imageReference } from '../../../generators/artifacts/image-reference.ts';

const digest = `sha256:${'a'.repeat(64)}`;

test.each([
  ['busybox', ['docker.io/library/busybox:latest']],
  ['lab/echo:1', ['docker.io/lab/echo:1']],
  ['registry.k8s.io/coredns/coredns:v1.12.1', ['registry.k8s.io/coredns/coredns:v1.12.1']],
  ['localhost:5000/a/b', ['localhost:5000/a/b:latest']],
  [
    `quay.io/cilium/cilium:v1.18.4@${digest}`,
    ['quay.io/cilium/cilium:v1.18.4', `quay.io/cilium/cilium@${digest}`],
  ],
  [`quay.io/cilium/cilium@${digest}`, [`quay.io/cilium/cilium@${digest}`]],
])('%s is known to containerd as %j', (text, names) => {
  const image = imageReference(text);
  expect(image && imageNames(image)).toEqual(names);
});

test.each(['', 'two words', 'quay.io/../etc/passwd:1', 'UPPER/case:1', 'a@sha256:short', '/a:1'])(
  '%j is no name of an image',
  (text) => {
    expect(imageReference(text)).toBeUndefined();
  },
);
