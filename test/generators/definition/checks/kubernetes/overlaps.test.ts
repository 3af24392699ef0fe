import { expect, test } from 'vitest';
import { changed, said, sound } from '../../support.ts';

const kubeadm = 'installer: { kubeadm: { version: 1.37.2 } }\n';
const overlapsIn = (text: string): readonly string[] =>
  said(text).filter((each) => /\blies? in\b/.test(each));

test('the Ansible server, ways to machines and a registry where pods are', () => {
  const text = changed(
    ['198.51.100.5', '10.244.0.5'],
    ['ssh: { hostKey', 'ssh: { host: 10.244.0.11, hostKey'],
  );
  const registries = 'containerd: { registries: [{ host: "10.244.0.9:5000" }] }\n';
  expect(overlapsIn(text + kubeadm + registries)).toEqual([
    'warning 4:24 10.244.0.5 (the Ansible server) and 2 more lie in the pod network 10.244.0.0/16, so nodes and pods may not reach them → a pod network that nobody else has addresses of',
  ]);
});

test('a proxy where Services are, and a registry, which may be one', () => {
  const registries = 'containerd: { registries: [{ host: 10.96.0.9 }] }\n';
  expect(overlapsIn(`${sound}proxy: { http: "http://10.96.0.7:3128" }\n${kubeadm}${registries}`)).toEqual([
    'warning 32:16 10.96.0.7 (the proxy) lies in the service network 10.96.0.0/16, so nodes and pods may not reach it → a service network that nobody else has addresses of',
  ]);
});

test('nothing is said of the sound definition, nor of names', () => {
  expect(overlapsIn(sound)).toEqual([]);
  expect(overlapsIn(`${sound}proxy: { http: "http://proxy.example.org:3128" }\n`)).toEqual([]);
});
