import { ok } from '../../generators/result.ts';
import { exec } from '../hosts/exec.ts';
import type { Fault, OnHost } from './fault.ts';

export interface SmallDisk extends OnHost {
  /** Absolute folder on the host; what is in it is out of sight until the undo. */
  readonly path: string;
  readonly kilobytes: number;
}

/** A folder lies on a file system that is soon full. */
export const smallDisk: Fault<SmallDisk> = {
  summary: 'Put a folder of a host on a file system of few kilobytes; undo gives the old folder back',
  inject: async (lab, { host, path, kilobytes }) => {
    const made = await exec(lab, host, ['install', '-d', '-o', 'ops', '-g', 'ops', path]);
    if (!made.ok) return made;
    const options = `size=${Math.trunc(kilobytes)}k,uid=ops,gid=ops,mode=0755`;
    const mounted = await exec(lab, host, ['mount', '-t', 'tmpfs', '-o', options, 'tmpfs', path]);
    return mounted.ok ? ok(undefined) : mounted;
  },
  undo: async (lab, { host, path }) => {
    const mounted = await exec(lab, host, ['mountpoint', '--quiet', path]);
    if (!mounted.ok) return ok(undefined);
    const gone = await exec(lab, host, ['umount', '--lazy', path]);
    return gone.ok ? ok(undefined) : gone;
  },
};
