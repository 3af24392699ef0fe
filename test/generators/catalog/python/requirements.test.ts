import { describe, expect, test } from 'vitest';
import { releases } from '../../../../generators/catalog/kubespray/releases.ts';
import {
  ansibleTemplate,
  kubesprayTemplate,
  newestOf,
  wheelOf,
} from '../../../../generators/catalog/python/requirements.ts';
import { templates } from '../../../support/definitions/templates.ts';

const folder = 'bootstrap/requirements/';
const present = Object.keys(templates).filter((path) => path.startsWith(folder));

/** `package==version ; marker` → its checksums, as pip reads a file of requirements. */
const locked = (path: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    (templates[path] ?? '')
      .replaceAll(/ \\\n +/g, ' ')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [requirement = '', ...hashes] = line.split(' --hash=');
        return [requirement, hashes];
      }),
  );

describe('Python packages that bootstrap installs', () => {
  test('each tag of kubespray since v2.23 has a file of them, and each file belongs to one', () => {
    const tags = releases.filter(({ minor, isRead }) => isRead && minor >= 23).map(({ tag }) => tag);
    const named = tags.map((tag) => kubesprayTemplate(tag));
    expect(named).not.toContain(undefined);
    expect([...new Set([...named, ansibleTemplate])].toSorted()).toEqual(present.toSorted());
    expect(kubesprayTemplate('v2.22.2')).toBeUndefined();
  });

  test.each(present)('%s names an exact version and a checksum of each', (path) => {
    const lines = locked(path);
    expect(lines.size).toBeGreaterThan(10);
    for (const [requirement, hashes] of lines) {
      expect(requirement).toMatch(/^[a-z0-9.-]+==[0-9][0-9.a-z]*(?: ; .+)?$/);
      expect(hashes.length).toBeGreaterThan(0);
      for (const hash of hashes) expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    }
  });

  test('ansible-core and ansible-runner are known by the checksums of their wheels', () => {
    expect(wheelOf('ansible-core', '2.17.14')).toMatch(/^[0-9a-f]{64}$/);
    expect(wheelOf('ansible-core', '2.17.99')).toBeUndefined();
    expect(newestOf('ansible-runner')).toContain('2.4.3');
  });
});
