import type { Fleet } from '../../../generators/cluster/cluster.ts';
import { load } from '../../../generators/load.ts';

/** A definition without a fault; `changes` replaces texts in it. */
export const definition = (changes: Readonly<Record<string, string>> = {}): string =>
  Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the definition has no ${from}`);
    return text.replace(from, to);
  }, sound);

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWF5R/rGki6T+Vb4BMpf3PZzZ3P+ldk4MJKR8K07W36';

const sound = `apiVersion: playsmith/v1
kind: Fleet
metadata: { name: europe }
ansibleServer: { host: 198.51.100.5, user: ops }
ssh: { user: ops }
nodes:
  - { name: exec1, role: execution, address: 192.0.2.11, site: paris, peers: [hop1], ssh: { hostKey: ${key} } }
  - { name: exec2, role: execution, address: 192.0.2.12, site: paris, peers: [hop1], ssh: { hostKey: ${key} } }
  - { name: control, role: control, address: 198.51.100.5 }
  - { name: hop1, role: hop, address: "2001:db8::10", port: 8443, peers: [control], ssh: { hostKey: ${key} } }
clusters:
  - { name: edge-b, definition: b.yml, site: paris, node: exec2, labels: { tier: last, size: small } }
  - { name: edge-a, definition: a.yml, site: paris }
`;

/** Problems and warnings as `line: message → remedy`; warnings begin with `warning`. */
export function said(text: string): readonly string[] {
  const loaded = load(text, 'fleet.yml');
  const faults = loaded.ok ? loaded.value.warnings : loaded.failure;
  return faults.map(
    ({ severity, line, message, remedy }) =>
      `${severity === 'warning' ? 'warning ' : ''}${line}: ${message} → ${remedy}`,
  );
}

/** The fleet of a definition without a fault. */
export function fleetOf(text: string): Fleet {
  const loaded = load(text, 'fleet.yml');
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.failure));
  const { fleet } = loaded.value.cluster;
  if (fleet === undefined) throw new Error('this is no fleet');
  return fleet;
}
