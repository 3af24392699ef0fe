// An OCI image of the client, for whoever has containers and no Node.js: a small Debian with git and ssh, Node.js, and
// the package. docs/install.md says how it is used. It needs mmdebstrap and podman, and root or user namespaces.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unpackWithPackages } from './contents.mjs';

const run = promisify(execFile);
const suite = 'bookworm';
/** What Node.js is linked with, and what tasks start: git for reviews, ssh for git. */
const packages = ['libstdc++6', 'ca-certificates', 'git', 'openssh-client'];
/** A third of it: for people, for other encodings, and for what of git is written in Perl, which the client calls nowhere. */
const needless = 'usr/share/perl usr/lib/*/perl usr/lib/*/gconv var/lib/apt/lists var/cache/* var/log/*';
const user = 'playsmith:x:1000:1000::/home/playsmith:/usr/sbin/nologin';
const config = [
  'USER 1000:1000',
  'WORKDIR /project',
  'ENV PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/playsmith',
  'ENTRYPOINT ["/usr/local/bin/playsmith"]',
  'CMD ["--help"]',
];

/** Makes `file`, an archive for `podman load` and `skopeo copy`, out of the packed package `tarball`. */
export async function image({ tarball, file, node = process.execPath, reference }) {
  const scratch = await mkdtemp(join(tmpdir(), 'playsmith-image-'));
  const podman = ['--root', join(scratch, 'storage'), '--runroot', join(scratch, 'run')];
  try {
    const content = join(scratch, 'content');
    await unpackWithPackages(tarball, content);
    await debian(scratch, content, node);
    const changes = config.flatMap((line) => ['--change', line]);
    await run('podman', [...podman, 'import', ...changes, join(scratch, 'image.tar'), reference]);
    await run('podman', [...podman, 'save', '--format', 'oci-archive', '--output', file, reference]);
  } finally {
    // What podman keeps of an image may belong to other users of its own, who are known to it alone.
    if (process.getuid() !== 0) await run('podman', ['unshare', 'rm', '-rf', scratch]);
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The file system of the image; everything in it belongs to root, and the user of the image can write only to its home. */
async function debian(scratch, content, node) {
  const script = join(scratch, 'customize.sh');
  await writeFile(script, customize(content, node));
  await chmod(script, 0o755);
  const mirror = process.env.PLAYSMITH_DEBIAN_MIRROR;
  await run('mmdebstrap', [
    ...['--quiet', '--variant=essential', `--include=${packages.join(',')}`],
    ...['doc', 'man', 'info', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
    `--customize-hook=${script}`,
    ...[suite, join(scratch, 'image.tar')],
    ...(mirror === undefined ? [] : [mirror]),
  ]);
}

const customize = (content, node) => `#!/bin/sh
set -eu
cd "$1"
rm -rf ${needless}
echo '${user}' >>etc/passwd
echo 'playsmith:x:1000:' >>etc/group
find . -xdev -perm /6000 -exec chmod a-s {} +
mkdir -p project home/playsmith
chown 1000:1000 project home/playsmith
install -m 0755 '${node}' usr/local/bin/node
cp -r '${content}' usr/local/lib/playsmith
chown -R 0:0 usr/local/lib/playsmith
chmod -R u=rwX,go=rX usr/local/lib/playsmith
ln -s ../lib/playsmith/dist/tasks/cli.js usr/local/bin/playsmith
`;
