import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describe as describeLab, down, type Lab, type LabDescription } from '../../../lab/index.ts';
import type { RunBrief } from '../../../tasks/runtime/agent/run-records.ts';
import { must, on, until } from '../../support/hosts/lab.ts';
import {
  controlHost,
  fleetText,
  hopHost,
  raiseMesh,
  type ExecutionNode,
  type ListedCluster,
} from '../../support/hosts/mesh-lab.ts';
import { changes, type Ended, type Project } from '../../support/project.ts';

const name = 'mesh-life';
const nodes = { control: controlHost, hop: hopHost, far: 'mesh4', exec1: 'mesh2', exec2: 'mesh3' } as const;
const execution: readonly ExecutionNode[] = [
  { name: 'exec1', host: nodes.exec1, site: 'paris' },
  { name: 'exec2', host: nodes.exec2, site: 'oslo', hop: 'far' },
];
const clusters: readonly ListedCluster[] = [
  { name: 'edge-a', site: 'paris', node: 'exec1', hosts: ['cp1'], vip: 101 },
  { name: 'edge-b', site: 'oslo', node: 'exec2', hosts: ['cp2'], vip: 102 },
];
const fleet = { far: { far: nodes.far }, execution, clusters };
let lab: Lab;
let here: Project;

beforeAll(async () => {
  ({ lab, here } = await raiseMesh(name, { controlPlanes: 2, mesh: 4 }, fleet));
  await here.done('render', '-f', 'fleet.yml');
  for (const cluster of clusters) await here.done('render', '-f', `${cluster.name}.yml`);
  await mesh('site');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

const mesh = (playbook: string): Promise<Ended> => here.done('run', playbook, '-f', 'fleet.yml', '--json');

const refused = async (playbook: string): Promise<string> => {
  const ended = await here.task('run', playbook, '-f', 'fleet.yml', '--json');
  expect(ended.status, ended.said).not.toBe(0);
  return ended.stdout;
};

const script = (host: string, text: string): Promise<string> => on(lab, host, 'sh', '-euc', text);

/** When Receptor began, in words, which are others after it began anew. */
const began = (host: string): Promise<string> =>
  on(lab, host, 'systemctl', 'show', '--property', 'ActiveEnterTimestamp', '--value', 'playsmith-receptor');

const fit = async (): Promise<boolean> => (await here.task('fleet', 'doctor')).status === 0;

/** Who began anew is a moment without a way. */
const isFit = (): Promise<void> => until('the mesh is fit', fit, 60);

const examinedAs = (line: RegExp): Promise<void> =>
  until(String(line), async () => line.test((await here.task('fleet', 'doctor')).stdout), 60);

const runAll = (): Promise<Ended> => here.done('fleet', 'run', 'preflight', '--json');

test('a node behind two hops, of which the farther one is listed first, is as fit as the others', async () => {
  await isFit();
  await runAll();
});

describe("certificates of the fleet's own authority", () => {
  test('are renewed before they end, and only the node concerned begins anew', async () => {
    const others = await Promise.all([nodes.control, nodes.hop, nodes.far, nodes.exec2].map(began));
    await script(nodes.control, endingSoon);
    const soon = await on(lab, nodes.control, 'cat', '/root/soon.crt');
    await script(
      nodes.exec1,
      `printf '%s\\n' '${soon}' >/etc/receptor/playsmith/node.crt; systemctl restart playsmith-receptor`,
    );
    await examinedAs(/NO +exec1: certificate +\d\d? days left/);
    const renewed = await mesh('site');
    expect(Object.keys(changes(renewed))).toEqual(['exec1']);
    expect(await Promise.all([nodes.control, nodes.hop, nodes.far, nodes.exec2].map(began))).toEqual(others);
    await examinedAs(/ok +exec1: certificate +36\d days left/);
  });
});

/** A certificate of exec1 for twenty days, by the authority that made the one it has. */
const endingSoon = `
cd /etc/receptor/playsmith/authority
receptor --cert-signreq req="$(ls exec1@*.req)" cacert=ca.crt cakey=ca.key outcert=/root/soon.crt verify=true \
  notafter="$(date --utc --date '20 days' +%Y-%m-%dT%H:%M:%SZ)"`;

describe('an upgrade', () => {
  const version = (host: string): Promise<string> =>
    on(lab, host, 'dpkg-query', '--show', '--showformat', '${Version}', 'receptor');
  const versions = (): Promise<readonly string[]> => Promise.all(Object.values(nodes).map(version));
  let before: readonly string[];

  test('changes nothing where there is nothing newer', async () => {
    before = await versions();
    expect(changes(await mesh('mesh-upgrade'))).toEqual({});
  });

  test('that fails on the first node leaves the others alone, and Receptor running', async () => {
    for (const host of Object.values(nodes)) await script(host, newerPackage('lab1', 'exit 1'));
    expect(await refused('mesh-upgrade')).toContain('exec1');
    expect(await versions()).toEqual(before);
    await isFit();
  });

  test('goes from node to node, and waits for what runs there', async () => {
    for (const host of Object.values(nodes)) await script(host, newerPackage('lab2', 'exit 0'));
    const running = here.begin('fleet', 'run', 'site', '--cluster', 'edge-a', '--json');
    await running.seen((event) => event.type === 'note' && event.text.startsWith('edge-a: run '));
    const upgraded = await mesh('mesh-upgrade');
    expect(Object.keys(changes(upgraded)).sort()).toEqual(Object.keys(nodes).sort());
    expect((await running.ended).status).toBe(0);
    expect(await versions()).toEqual(before.map((each) => `${each}+lab2`));
    const told = await here.done('fleet', 'runs', '--cluster', 'edge-a', '--json');
    const lines = told.stdout.split('\n').map((line) => JSON.parse(line) as { runs?: RunBrief[] });
    const [run] = lines.flatMap(({ runs = [] }) => runs);
    expect(run?.status).toBe('successful');
    const installed = Number(await on(lab, nodes.exec1, 'stat', '--format=%Z', '/usr/bin/receptor'));
    expect(installed).toBeGreaterThanOrEqual(Math.floor(Date.parse(run?.ended ?? '') / 1000));
    await isFit();
    expect(changes(await mesh('mesh-upgrade'))).toEqual({});
  });

  test('begins Receptor anew where somebody else replaced the program', async () => {
    const others = await Promise.all([nodes.control, nodes.far, nodes.exec1, nodes.exec2].map(began));
    await script(
      nodes.hop,
      `${newerPackage('lab3', 'exit 0')}\ndpkg --install /srv/newer/receptor.deb >/dev/null`,
    );
    expect(Object.keys(changes(await mesh('mesh-upgrade')))).toEqual(['hop']);
    expect(await Promise.all([nodes.control, nodes.far, nodes.exec1, nodes.exec2].map(began))).toEqual(
      others,
    );
    await isFit();
  });
});

/** Gives a host a package source of its own with a version of Receptor that is newer by its name. */
const newerPackage = (suffix: string, before: string): string => `
mkdir -p /srv/newer && cd /srv/newer
[ -e original ] || { apt-get --quiet=2 download receptor 2>/dev/null; mv receptor_*.deb original; }
rm -rf tree receptor.deb && dpkg-deb --raw-extract original tree
sed -i 's/^Version: .*/&+${suffix}/' tree/DEBIAN/control
printf '#!/bin/sh\\n${before}\\n' >tree/DEBIAN/preinst && chmod 755 tree/DEBIAN/preinst
dpkg-deb --build tree receptor.deb >/dev/null
{ dpkg-deb --field receptor.deb
  echo 'Filename: ./receptor.deb'
  echo "Size: $(stat --format=%s receptor.deb)"
  echo "SHA256: $(sha256sum <receptor.deb | cut -d ' ' -f 1)"
} >Packages
echo 'deb [trusted=yes] file:/srv/newer ./' >/etc/apt/sources.list.d/newer.list`;

describe('certificates of an operator', () => {
  const folder = '/srv/pki';
  const given = (): string => `${fleetText(describeLab(lab), fleet)}certificates: { directory: ${folder} }\n`;

  test('with faults are all told, and none of them is used', async () => {
    await here.define(given(), 'fleet.yml');
    await here.done('render', '-f', 'fleet.yml');
    await script(nodes.control, authority(folder, describeLab(lab)));
    await script(
      nodes.control,
      `cd ${folder} && cp -a exec1.crt exec1.kept && cp exec2.crt exec1.crt
      mv hop.key hop.key.kept && cp -a control.crt control.kept && cp -a control.key control.key.kept
      receptor --cert-makereq commonname=control nodeid=control bits=2048 outkey=control.key outreq=control.req
      receptor --cert-signreq req=control.req cacert=ca.crt cakey=/root/operator.key outcert=control.crt verify=true
      chown --reference ca.crt control.key control.crt`,
    );
    const before = await script(nodes.exec2, 'sha256sum /etc/receptor/playsmith/*');
    const told = await refused('mesh-certificates');
    expect(told).toContain('hop.key: No such file or directory');
    expect(told).toContain('exec1.key is not the key of exec1.crt');
    expect(told).toContain(
      'exec1.crt does not hold the name of the node: receptor --cert-makereq nodeid=exec1',
    );
    expect(told).toContain('control.crt does not hold the address by which others reach the node');
    expect(told).not.toContain('exec2.crt does not');
    expect(await script(nodes.exec2, 'sha256sum /etc/receptor/playsmith/*')).toBe(before);
    await script(
      nodes.control,
      `cd ${folder} && mv exec1.kept exec1.crt && mv hop.key.kept hop.key && mv control.kept control.crt && mv control.key.kept control.key`,
    );
  });

  test('take the place of those of its own, and clusters are run as before', async () => {
    await mesh('site');
    expect(changes(await mesh('site'))).toEqual({});
    const issuer = ['openssl', 'x509', '-noout', '-issuer', '-in', '/etc/receptor/playsmith/node.crt'];
    expect(await on(lab, nodes.exec1, ...issuer)).toContain('operator');
    await isFit();
    await runAll();
  });

  test("give way to the fleet's own again", async () => {
    await here.define(fleetText(describeLab(lab), fleet), 'fleet.yml');
    await here.done('render', '-f', 'fleet.yml');
    await mesh('site');
    expect(changes(await mesh('site'))).toEqual({});
    await isFit();
    await runAll();
  });
});

/** An authority of the operator's own, and what a fleet needs of it, for who runs Ansible alone. */
const authority = (folder: string, { user, hosts }: LabDescription): string => `
umask 077; mkdir -p ${folder} && cd ${folder}
receptor --cert-init commonname=operator bits=2048 outcert=ca.crt outkey=/root/operator.key
certificate() {
  receptor --cert-makereq commonname=$1 nodeid=$1 bits=2048 outkey=$1.key outreq=$1.req $2
  receptor --cert-signreq req=$1.req cacert=ca.crt cakey=/root/operator.key outcert=$1.crt verify=true
}
certificate control ipaddress=${addressOf(hosts, nodes.control)}
certificate hop ipaddress=${addressOf(hosts, nodes.hop)}
certificate far ipaddress=${addressOf(hosts, nodes.far)}
certificate exec1 ''
certificate exec2 ''
openssl genpkey -quiet -algorithm RSA -out work.key && openssl pkey -in work.key -pubout -out work.pub
rm ./*.req && chown -R ${user}: ${folder}`;

const addressOf = (hosts: LabDescription['hosts'], host: string): string =>
  hosts.find((each) => each.name === host)?.address ?? '';
