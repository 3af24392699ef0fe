import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { compactJson } from '../../generators/compact-json.ts';
import { pack, type Manifest } from '../../generators/bundle.ts';
import { render } from '../../generators/render.ts';
import { cluster } from '../support/definitions/clusters.ts';
import { templates } from '../support/definitions/templates.ts';

const files = render(cluster(), templates);
const bundle = pack(cluster(), files);
const manifestOf = (of: typeof bundle): Manifest => JSON.parse(of.files.at(-1)?.text ?? '') as Manifest;

describe('a bundle', () => {
  test('has its manifest as the last file, which lists all others with their digests', () => {
    const manifest = manifestOf(bundle);
    expect(bundle.files.at(-1)?.path).toBe('manifest.json');
    expect(manifest.digest).toBe(bundle.digest);
    expect(manifest.files).toEqual(
      files.map(({ path, mode, text }) => ({
        path,
        mode,
        sha256: createHash('sha256').update(text).digest('hex'),
      })),
    );
  });

  test('has one file a line in its manifest, so that a difference is a file', () => {
    const lines = (bundle.files.at(-1)?.text ?? '').split('\n').map((line) => line.trim().replace(/,$/, ''));
    for (const file of manifestOf(bundle).files)
      expect(lines.some((line) => line.startsWith('{') && line === compactJson(file))).toBe(true);
  });

  test('has the digest that anybody can compute from path, mode and text', () => {
    const lines = files.map(({ path, mode, text }) => JSON.stringify([path, mode, text]));
    expect(bundle.digest).toBe(createHash('sha256').update(lines.join('\n')).digest('hex'));
  });

  test.each([
    ['a path', files.map((file, index) => (index === 0 ? { ...file, path: 'A' } : file))],
    ['a mode', files.map((file, index) => (index === 0 ? { ...file, mode: '0755' as const } : file))],
    ['a text', files.map((file, index) => (index === 0 ? { ...file, text: 'A' } : file))],
    ['a missing file', files.slice(1)],
  ])('has another digest with %s that differs', (_what, others) => {
    expect(pack(cluster(), others).digest).not.toBe(bundle.digest);
  });

  test('tells the definition apart from the files', () => {
    const other = cluster({ review: 'required' });
    expect(pack(other, render(other, templates)).digest).toBe(bundle.digest);
    expect(manifestOf(pack(other, files)).definition).not.toBe(manifestOf(bundle).definition);
  });

  test('lists its playbooks with their hosts and tags', () => {
    const some = cluster();
    const { playbooks } = manifestOf(pack(some, render(some, templates)));
    expect(playbooks.map(({ file, hosts }) => [file, hosts.length])).toEqual([
      ['site.yml', 3],
      ['preflight.yml', 3],
      ['haproxy.yml', 3],
      ['keepalived.yml', 3],
      ['owner.yml', 3],
    ]);
  });
});
