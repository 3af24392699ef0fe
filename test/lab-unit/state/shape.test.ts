import { describe, expect, it } from 'vitest';
import {
  defaultShape,
  hostsOf,
  imagesOf,
  isVirtual,
  kubernetesShape,
  shapeFault,
  suitesOf,
  vipOf,
} from '../../../lab/state/shape.ts';

const subnet = '10.77.3.0/24';

describe('the shape of a lab', () => {
  it('is an Ansible server, three control planes and a client by default', () => {
    expect(hostsOf(defaultShape, subnet).map(({ name, address }) => `${name} ${address}`)).toEqual([
      'ansible 10.77.3.10',
      'cp1 10.77.3.11',
      'cp2 10.77.3.12',
      'cp3 10.77.3.13',
      'client 10.77.3.99',
    ]);
  });

  it('gives every host of the largest lab an address of its own and leaves the virtual one free', () => {
    const volumes = Array.from({ length: 8 }, () => ({ megabytes: 16 }));
    const shape = {
      ...defaultShape,
      controlPlanes: 9,
      loadBalancers: 8,
      workers: 60,
      mesh: 9,
      edges: 120,
      volumes,
    };
    const addresses = hostsOf(shape, subnet).map(({ address }) => address);
    expect(shapeFault(shape)).toBe('');
    expect(new Set([...addresses, vipOf(subnet), '10.77.3.1']).size).toBe(9 + 8 + 60 + 9 + 120 + 3 + 2);
  });

  it.each([
    ['bookworm', 'ansible-bookworm'],
    ['trixie', 'ansible-trixie'],
    ['bare', 'host'],
  ] as const)('makes the Ansible server %s from the image %s', (ansibleServer, image) => {
    expect(hostsOf({ ...defaultShape, ansibleServer }, subnet)[0]?.image).toBe(image);
  });

  it.each([
    [{ controlPlanes: 10 }, 'a lab has 0 to 9 control planes'],
    [{ workers: 1.5 }, 'a lab has 0 to 60 workers'],
    [{ loadBalancers: -1 }, 'a lab has 0 to 8 load balancers'],
    [{ edges: 121 }, 'a lab has 0 to 120 machines for clusters of one machine'],
    [{ volumes: [{ megabytes: 1 }] }, 'a volume has 16 MB to 1 TB'],
  ])('refuses %j', (part, fault) => {
    expect(shapeFault({ ...defaultShape, ...part })).toBe(fault);
  });

  it('has virtual machines and hosts of Debian 13 where it is asked for them by name', () => {
    const shape = { ...defaultShape, workers: 2, virtual: ['worker2'], debian13: ['cp1', 'worker2'] };
    expect(shapeFault(shape)).toBe('');
    const hosts = hostsOf(shape, subnet);
    expect(hosts.filter(isVirtual).map(({ name }) => name)).toEqual(['worker2']);
    expect(hosts.filter(({ image }) => image === 'host-trixie').map(({ name }) => name)).toEqual([
      'cp1',
      'worker2',
    ]);
    expect(imagesOf(hosts)).toEqual(['ansible-bookworm', 'host-trixie', 'host']);
    expect(suitesOf(hosts)).toEqual(['trixie']);
  });

  it('leaves the Ansible server, the client and the mesh as they are when all are asked for', () => {
    const shape = { ...defaultShape, mesh: 1, virtual: ['all'], debian13: ['all'] };
    expect(shapeFault(shape)).toBe('');
    const others = hostsOf(shape, subnet).filter((host) => !isVirtual(host));
    expect(others.map(({ name, image }) => `${name} ${image}`)).toEqual([
      'ansible ansible-bookworm',
      'mesh1 ansible-trixie',
      'client host',
    ]);
  });

  it.each([
    [{ virtual: ['storage1'] }, 'storage1 cannot be'],
    [{ debian13: ['client'] }, 'client cannot be'],
    [{ virtual: ['cp1', 'ansible'] }, 'ansible cannot be'],
  ])('refuses %j, and says which hosts can', (part, fault) => {
    const said = shapeFault({ ...defaultShape, ...part });
    expect(said).toContain(fault);
    expect(said).toContain('cp1, cp2, cp3');
  });

  it('for Kubernetes has two workers beside the control planes', () => {
    expect(shapeFault(kubernetesShape)).toBe('');
    expect(hostsOf(kubernetesShape, subnet).map(({ name }) => name)).toEqual([
      'ansible',
      'cp1',
      'cp2',
      'cp3',
      'worker1',
      'worker2',
      'client',
    ]);
  });
});
