import { describe, expect, it } from 'vitest';
import { chooseSubnet, hostAddress, isFree, isLabSubnet } from '../../../lab/state/subnet.ts';

describe('the subnet of a lab', () => {
  it('is 10.77.0.0/24 where nothing is in its way', () => {
    expect(chooseSubnet(['192.168.1.0/24', '10.78.0.0/16', '10.76.255.255'])).toBe('10.77.0.0/24');
  });

  it('is the next one that no route, address or wider network touches', () => {
    expect(chooseSubnet(['10.77.0.0/24', '10.77.1.7', '10.77.2.0/23', '10.77.4.128/25'])).toBe(
      '10.77.5.0/24',
    );
  });

  it('is none when all of 10.77.0.0/16 is taken', () => {
    expect(chooseSubnet(['10.0.0.0/8'])).toBeUndefined();
  });

  it('never counts a neighbour as an overlap', () => {
    expect(isFree('10.77.1.0/24', ['10.77.0.0/24', '10.77.2.0/24', '10.77.0.255', '10.77.2.0'])).toBe(true);
  });

  it.each(['10.88.0.0/24', '172.20.1.0/24', '192.168.128.0/24'])('may be %s', (subnet) => {
    expect(isLabSubnet(subnet)).toBe(true);
  });

  it.each(['8.8.8.0/24', '10.0.0.0/16', '10.0.0.1/24', '10.0.300.0/24', '172.32.0.0/24', ''])(
    'may not be %j',
    (subnet) => {
      expect(isLabSubnet(subnet)).toBe(false);
    },
  );

  it('counts hosts in its last number', () => {
    expect(hostAddress('10.88.3.0/24', 42)).toBe('10.88.3.42');
  });
});
