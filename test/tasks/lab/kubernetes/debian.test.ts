import { describe, expect, it } from 'vitest';
import { aptOptions, sourcesList } from '../../../../tasks/lab/kubernetes/debian.ts';

describe("apt, as the lab's Kubernetes uses it", () => {
  it('trusts Debian 12 by the keys of Debian alone, whatever machine it runs on', () => {
    const lines = sourcesList('http://mirror/debian').trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toMatch(
        /^deb(-src)? \[arch=amd64 signed-by=\/usr\/share\/keyrings\/debian-archive-keyring.gpg\] /,
      );
      expect(line).toContain(' http://mirror/debian bookworm main');
      expect(line).not.toContain('trusted');
    }
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
