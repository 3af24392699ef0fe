import { expect, test } from 'vitest';
import { load } from '../../../../../generators/load.ts';
import { changed, printed, saidBesides as said } from '../../support.ts';

const credentials = 'credentials: { user: { env: PROXY_USER }, password: { env: PROXY_PASSWORD } }';
const installed = (proxy: string, installer = 'kubeadm: { version: 1.37.2 }'): string =>
  changed([
    'network:\n',
    `installer: { ${installer} }\nproxy: { ${proxy} }\nnetwork:\n  plugin: static-routes\n`,
  ]);
const url = 'http: http://proxy.example.org:3128';

test('a proxy may want a user and a password, which the definition refers to', () => {
  const text = installed(`${url}, ${credentials}`);
  expect(said(text)).toEqual([]);
  const loaded = load(text, 'cluster.yml');
  expect(loaded.ok && loaded.value.cluster.proxy.credentials).toEqual({
    userVariable: 'vault_proxy_user',
    passwordVariable: 'vault_proxy_password',
  });
  expect(loaded.ok && loaded.value.cluster.secrets.map(({ path }) => path)).toContain(
    'proxy.credentials.password',
  );
});

test('they are for a proxy, and are no text', () => {
  expect(said(installed(credentials)).join()).toContain('they are for no proxy');
  const written = installed(`${url}, credentials: { user: { env: A }, password: hunter2 }`);
  expect(said(written).join()).toContain('is a secret, which is never written in a definition');
  expect(printed(written)).not.toContain('hunter2');
});

test('kubespray would show them to everybody', () => {
  const kubespray = 'kubespray: { version: v2.28.1, path: /opt/kubespray }';
  const text = installed(`${url}, ${credentials}`, kubespray).replace('  plugin: static-routes\n', '');
  expect(said(text).join('\n')).toContain('into files that everybody on a host reads');
});
