import { describe, expect, it } from 'vitest';
import { aptOptions, sourcesList } from '../../../lab/kubernetes/debian.ts';

describe("apt, as the lab's Kubernetes uses it", () => {
  it('trusts one Debian by the keys of Debian alone, whatever machine it runs on', () => {
    expect(sourcesList('http://mirror/debian', 'trixie')).toBe(
      'deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://mirror/debian trixie main\n',
    );
  });

  it("keeps everything that it writes in the build's folder", () => {
    const options = aptOptions('/build/apt').filter((word) => word !== '-o');
    for (const key of [
      'Dir::State::Lists',
      'Dir::State::status',
      'Dir::State::extended_states',
      'Dir::Cache',
      'Dir::Cache::archives',
      'Dir::Etc::SourceList',
    ])
      expect(options.find((option) => option.startsWith(`${key}=`))).toMatch(/=\/build\/apt/);
    expect(options).toContain('Dir::Etc::SourceParts=/dev/null');
    expect(options.join(' ')).not.toMatch(/AllowUnauthenticated|AllowInsecure/i);
  });
});
