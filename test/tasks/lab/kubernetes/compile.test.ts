import { describe, expect, it } from 'vitest';
import { progress } from '../../../../tasks/lab/kubernetes/compile.ts';

describe('the progress of a build', () => {
  it('says at once how long it takes, and each minute or so how much is left', () => {
    const told: string[] = [];
    const line = progress('1.20.2', (text) => told.push(text));
    expect(told).toEqual(["Building Kubernetes 1.20.2 from Debian's source (about 4 minutes on 2 cores)"]);
    for (let index = 0; index < 10_000; index += 1) line('k8s.io/kubernetes/pkg/apis/core');
    expect(told.slice(1).map((text) => text.replace(/\d+/, 'N'))).toEqual([
      'Building Kubernetes: N packages are compiled, about 3 minutes left',
      'Building Kubernetes: N packages are compiled, about 2 minutes left',
      'Building Kubernetes: N packages are compiled, about 90 seconds left',
      'Building Kubernetes: N packages are compiled, linking is left, about a minute',
    ]);
  });
});
