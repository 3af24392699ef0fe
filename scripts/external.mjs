/** Packages with programs of their own, or that only a task with a connection needs: they do not become part of dist/. */
export const external = ['ansible-vault', 'ssh2', 'ssh2-sftp-client', 'tar-stream', 'undici', 'zx'];
