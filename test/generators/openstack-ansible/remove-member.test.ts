import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engine } from '../../../generators/engine.ts';
import { templates } from '../../support/definitions/templates.ts';
import { folderWith } from './python.ts';

const kubectl = `#!/bin/bash
case "$*" in
  *"get node"*) cat "$ROOT/ready" ;;
  *"member list"*) [ ! -e "$ROOT/silent" ] || exit 1; echo "aa11, started, infra1-k8s, https://1:2380, https://1:2379, false"; echo "bb22, started, infra3-k8s, https://3:2380, https://3:2379, false" ;;
  *"member remove"*) echo "$*" | sed 's/.* exec/exec/' >> "$ROOT/removed" ;;
esac
`;

function run(ready: string, nodes: string, files: Readonly<Record<string, string>> = {}) {
  const root = folderWith({ 'bin/kubectl': kubectl, removed: '', ...files });
  writeFileSync(join(root, 'ready'), ready);
  writeFileSync(join(root, 'bin/hostname'), '#!/bin/sh\necho Infra1-K8s\n');
  for (const each of ['kubectl', 'hostname']) chmodSync(join(root, 'bin', each), 0o755);
  const script = engine(templates, 'cloud-a')('osa/remove-member.sh.hbs', {});
  const { status, stdout } = spawnSync('sh', ['-c', `NODES="${nodes}"\n${script}`], {
    encoding: 'utf8',
    env: { PATH: `${root}/bin:/usr/bin:/bin`, ROOT: root },
  });
  return { status, stdout, removed: readFileSync(join(root, 'removed'), 'utf8') };
}

test('a dead member is taken out of etcd by one that stays', () => {
  expect(run('Unknown', 'infra3-k8s')).toMatchObject({
    status: 0,
    removed:
      'exec etcd-infra1-k8s -- etcdctl --endpoints=https://127.0.0.1:2379 --cacert=/etc/kubernetes/pki/etcd/ca.crt --cert=/etc/kubernetes/pki/etcd/server.crt --key=/etc/kubernetes/pki/etcd/server.key member remove bb22\n',
  });
});

test('one that is gone already is no error, and one that is Ready is not dead', () => {
  expect(run('', 'infra9-k8s')).toMatchObject({ status: 0, removed: '' });
  expect(run('True', 'infra3-k8s')).toMatchObject({
    status: 1,
    removed: '',
    stdout: 'ERROR! infra3-k8s is Ready, so it is not dead: run the playbook without osa_remove_host_dead\n',
  });
});

test('nobody is called gone where etcd does not say who its members are', () => {
  expect(run('Unknown', 'infra3-k8s', { silent: '' })).toMatchObject({ status: 1, removed: '' });
});
