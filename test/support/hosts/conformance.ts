/**
 * Conformance tests that hosts of the lab cannot pass, each with what they lack: a text that the names of the tests hold (no
 * more than the regular expression of `--skip` allows), and why.
 */
export const notHere: readonly { readonly names: string; readonly because: string }[] = [
  {
    names: 'Sample API Server',
    because:
      'the image sample-apiserver is on a registry alone: its program is no module of its own at a version',
  },
  {
    names: 'Update Demo',
    because: 'the images nautilus and kitten are on a registry alone',
  },
  {
    names: 'should test the lifecycle of a ReplicationController|pod generation should start at 1',
    because: 'the image nginx is not made here',
  },
  {
    names: 'should not allow privilege escalation when false',
    because: 'the image nonewprivs is on a registry alone',
  },
  {
    names:
      'should support remote command execution over websockets|should be able to pull|pull policy of Always|establish an mTLS connection',
    because: 'asks registries on the internet',
  },
  {
    names: 'should not write to root filesystem',
    because:
      "wants the very words of busybox's shell; in its image is bash, since Debian's busybox drops some variables",
  },
];
