import {
  profile,
  type ProfileMachine,
  type ProfileValues,
} from '../../generators/definition/profiles/profiles.ts';

const hostKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWF5R/rGki6T+Vb4BMpf3PZzZ3P+ldk4MJKR8K07W36';

/**
 * The text of a definition with three control planes that balance their own API; all others of the `count` nodes are
 * workers. containerd is that of the nodes' distribution.
 */
export const definitionOf = (
  count: number,
  { name = 'bench', ansibleServer = 'local' }: Pick<ProfileValues, 'name' | 'ansibleServer'> = {},
): string =>
  profile('ha-stacked', {
    name,
    ansibleServer,
    network: { nodeSubnet: '172.16.0.0/16' },
    ssh: { user: 'ubuntu', privateKey: '~/.ssh/id_ed25519' },
    endpoint: { address: '172.16.255.100/16', port: 8443 },
    machines: Array.from({ length: count }, (_, index) => machine(index)),
  }).replace(/^containerd:\n(?: .*\n)+\n/m, '');

const machine = (index: number): ProfileMachine => ({
  name: `node${index + 1}`,
  roles: [index < 3 ? 'control-plane' : 'worker'],
  address: `172.16.${Math.floor(index / 200)}.${(index % 200) + 1}`,
  ssh: { hostKey },
});
