import { describe, expect, test } from 'vitest';
import {
  containerdFor,
  containerdLines,
  judgeContainerd,
  recommendedContainerd,
} from '../../../../generators/catalog/kubernetes/containerd.ts';
import { lineOf } from '../../../../generators/catalog/kubernetes/version.ts';

describe('containerd beside Kubernetes', () => {
  test.each([
    ['2.3.0', 37, 'tested'],
    ['2.2.9', 37, 'untested'],
    ['2.0.1', 37, 'untested'],
    ['1.7.35', 37, 'untested'],
    ['2.2.0', 36, 'tested'],
    ['1.6.20', 35, 'untested'],
    ['1.7.28', 35, 'tested'],
    ['2.1.4', 35, 'untested'],
    ['2.1.5', 35, 'tested'],
    ['1.7.35', 38, 'refused'],
    ['2.3.0', 38, 'unknown'],
    ['1.5.18', 26, 'refused'],
  ] as const)('%s with Kubernetes 1.%i is %s', (version, minor, verdict) => {
    expect(judgeContainerd(version, minor)).toBe(verdict);
  });

  test('a line that came after the row was written is held to work', () => {
    expect(judgeContainerd('2.4.2', 35)).toBe('tested');
  });

  test('1.37 starts with containerd 1, and 1.38 refuses it', () => {
    expect(containerdFor(37).refusedBefore).toBe('1.6.0');
    expect(containerdFor(38).refusedBefore).toBe('2.0.0');
  });

  test('what is recommended is tested and supported longest', () => {
    expect(recommendedContainerd(37)).toBe('2.3.7');
    expect(recommendedContainerd(35)).toBe('2.3.7');
  });

  test('every line in the matrix has its dates', () => {
    const lines = containerdLines.map(({ line }) => line);
    for (const minor of [31, 32, 33, 34, 35, 36, 37])
      expect(lines).toEqual(expect.arrayContaining(containerdFor(minor).atLeast.map(lineOf)));
  });
});
