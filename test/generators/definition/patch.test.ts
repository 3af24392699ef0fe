import { expect, test } from 'vitest';
import { changed, loaded, said } from './support.ts';

const kubeadm = 'installer: { kubeadm: { version: 1.35.9 } }\n';
const patched = (patch: string, more = kubeadm): string =>
  changed(['network:\n', `${more}patch: ${patch}\nnetwork:\n  plugin: static-routes\n`]);

test('packages are sorted, and one worker at a time is patched unless something else is said', () => {
  expect(
    loaded(patched('{ packages: { openssl: 3.0.17-1~deb12u3, bind9-host: 1:9.18.41-1 } }')).cluster.patch,
  ).toEqual({
    packages: { 'bind9-host': '1:9.18.41-1', openssl: '3.0.17-1~deb12u3' },
    rebootAfter: [],
    workersAtOnce: 1,
  });
  expect(loaded(changed()).cluster).not.toHaveProperty('patch');
});

test.each([
  ['{ packages: { OpenSSL: 3.0.17 } }', /"OpenSSL" is not a name of a Debian package/],
  ['{ packages: { "libc6:amd64": 2.36-9 } }', /without its architecture/],
  ['{ packages: { openssl: latest } }', /"latest" is not an exact version/],
  ['{ packages: { openssl: 3.0.* } }', /"3.0.\*" is not an exact version/],
  ['{ packages: {} }', /no package is listed/],
  ['{ packages: { kubelet: 1.35.9-1.1 } }', /`kubelet` is not patched.*npx task upgrade/],
  ['{ packages: { openssl: 3.0.17-1 }, rebootAfter: [libc6] }', /`libc6` is none of the packages/],
])('%s is told', (patch, problem) => {
  expect(said(patched(patch)).join()).toMatch(problem);
});

test('the container runtime is patched only where the definition does not say its version', () => {
  const archive =
    'containerd: { archive: { version: 2.3.7, sha256: SUM, runc: { version: 1.5.2, sha256: SUM } } }\n';
  const sums = archive.replaceAll('SUM', 'a'.repeat(64));
  const patch = '{ packages: { containerd: 1.6.20~ds1-1+deb12u2 } }';
  expect(said(patched(patch)).join()).not.toContain('is not patched');
  expect(said(patched(patch, kubeadm + sums)).join()).toMatch(/`containerd` is not patched.*run containerd/);
});

test('that would reboot the Ansible server under its own run is told', () => {
  const text = patched('{ packages: { openssl: 3.0.17-1 } }');
  expect(said(text).join()).not.toContain('would end the run');
  expect(said(text.replace('198.51.100.5', '192.0.2.21')).join()).toMatch(
    /worker01 is the Ansible server, and a reboot of it would end/,
  );
});

test('has no effect where nobody here could drain a node', () => {
  const text = patched('{ packages: { openssl: 3.0.17-1 } }', '');
  expect(said(text).join()).toMatch(/`patch` has no effect/);
  expect(loaded(text).cluster).not.toHaveProperty('patch');
});
