import { describe, expect, it } from 'vitest';
import { hardLimit } from '../../../lab/machine/machine.ts';
import { missingPackages } from '../../../lab/machine/packages.ts';
import { place } from '../../../lab/machine/place.ts';

const limits = `Limit                     Soft Limit           Hard Limit           Units
Max processes             unlimited            unlimited            processes
Max open files            1024                 20000                files
`;

describe('the machine of a lab', () => {
  it('is asked for its hard limits', () => {
    expect(hardLimit(limits, 'Max open files')).toBe(20000);
  });

  it('has a limit that every kernel takes where it has none, or tells none', () => {
    expect(hardLimit(limits, 'Max processes')).toBe(1_048_576);
    expect(hardLimit('', 'Max processes')).toBe(1_048_576);
  });

  it('lacks exactly the packages whose programs are not there, each once', () => {
    const lacking = (file: string): boolean => !['flock', 'gcc', 'nsenter', 'podman'].includes(file);
    expect(missingPackages({ builds: false, virtual: false }, lacking)).toEqual(['podman', 'util-linux']);
    expect(missingPackages({ builds: true, virtual: false }, () => true)).toEqual([]);
  });

  it('needs a compiler only where Kubernetes has to be built', () => {
    const lacking = (file: string): boolean => file !== 'gcc';
    expect(missingPackages({ builds: false, virtual: false }, lacking)).toEqual([]);
    expect(missingPackages({ builds: true, virtual: false }, lacking)).toEqual(['gcc']);
  });

  it('needs QEMU only where a host is a virtual machine', () => {
    const lacking = (file: string): boolean => !['qemu-system-x86_64', 'debugfs'].includes(file);
    expect(missingPackages({ builds: false, virtual: false }, lacking)).toEqual([]);
    expect(missingPackages({ builds: false, virtual: true }, lacking)).toEqual([
      'e2fsprogs',
      'qemu-system-x86',
    ]);
  });

  it('keeps its cache outside the checkout, where it is told, or where users keep theirs', () => {
    expect(place({ PLAYSMITH_CACHE: '/c', XDG_CACHE_HOME: '/x' }).folder).toBe('/c/lab');
    expect(place({ XDG_CACHE_HOME: '/x' }).folder).toBe('/x/playsmith/lab');
    expect(place({ XDG_CACHE_HOME: '/x' }).run).not.toBe(place({ XDG_CACHE_HOME: '/y' }).run);
  });
});
