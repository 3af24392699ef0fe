import { showProblems } from '../../../generators/source/problems.ts';
import { noFiles, type Files } from '../../../generators/definition/files.ts';
import { load, type ClusterWithWarnings } from '../../../generators/load.ts';

/** A sound definition without warnings; the tests change a line of it. */
export const sound = `apiVersion: playsmith/v1
kind: Cluster
metadata: { name: edge-a }
ansibleServer: { host: 198.51.100.5, user: ansible }
network:
  podSubnet: 10.244.0.0/16
  serviceSubnet: 10.96.0.0/16
ssh: { user: ubuntu }
controlPlaneEndpoint:
  address: 192.0.2.80/24
  port: 8443
  loadBalancer:
    placement: stacked
    keepalived: { election: nopreempt }
    haproxy: { balance: all-active }
nodes:
  - name: master01
    roles: [control-plane]
    address: 192.0.2.11
    ssh: { hostKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWF5R/rGki6T+Vb4BMpf3PZzZ3P+ldk4MJKR8K07W36 }
  - name: master02
    roles: [control-plane]
    address: 192.0.2.12
    ssh: { hostKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILSoSeASfJN8y8PkPE/vbKZQl1jRqsqDa1jI5Pd2BgJ/ }
  - name: master03
    roles: [control-plane]
    address: 192.0.2.13
    ssh: { hostKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB6O3opjyZXmQt64lG/6+cYYmgmJOWnXMky5CV5tTNn3 }
  - name: worker01
    address: 192.0.2.21
    ssh: { hostKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIABZjpGaDlsd1xhbCNFyYbrK+4NQuJ1IglV5VAhhG/ao }
`;

/** The sound definition with one text in it replaced; fails when it is not there. */
export function changed(...edits: readonly (readonly [from: string, to: string])[]): string {
  return edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the sound definition holds no ${from}`);
    return text.replace(from, () => to);
  }, sound);
}

/** Every fault and warning in one line: `12:9 what is wrong → what would be right`. */
export function said(text: string, files: Files = noFiles): string[] {
  const result = load(text, 'cluster.yml', files);
  const faults = result.ok ? result.value.warnings : result.failure;
  return faults.map(
    ({ severity, line, column, message, remedy }) =>
      `${severity === 'warning' ? 'warning ' : ''}${line}:${column} ${message} → ${remedy}`,
  );
}

/** The same without what is said of versions by themselves, which versions.test.ts is about. */
export const saidBesides = (text: string, files: Files = noFiles): string[] =>
  said(text, files).filter((line) => !/package of containerd that these have|no patches/.test(line));

/** All that is printed about a definition. */
export function printed(text: string): string {
  const result = load(text, 'cluster.yml');
  return showProblems(result.ok ? result.value.warnings : result.failure, text);
}

export function loaded(text: string, files: Files = noFiles): ClusterWithWarnings {
  const result = load(text, 'cluster.yml', files);
  if (!result.ok) throw new Error(showProblems(result.failure, text));
  return result.value;
}
