import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addressText,
  cidr,
  contains,
  networkOf,
  overlap,
  parseAddress,
  parseBlock,
  type Block,
} from '../../../generators/source/networks.ts';

const block = (text: string): Block => {
  const parsed = parseBlock(text);
  if (!parsed) throw new Error(text);
  return parsed;
};

describe('an address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8::0:1', '2001:db8::1'],
    ['::', '::'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
  ])('%s has one spelling', (text, canonical) => {
    expect(parseAddress(text)?.address).toBe(canonical);
  });

  test.each([
    '127.1',
    '0x7f.0.0.1',
    '010.0.0.1',
    '192.0.2.256',
    '192.0.2',
    '3221225985',
    'fe80::1%eth0',
    '1::2::3',
    ' 192.0.2.1',
    '192.0.2.1/24',
    '',
    '[::1]',
  ])('%s is none', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  test.each([
    '192.0.2.0/33',
    '192.0.2.0/',
    '192.0.2.0/024',
    '192.0.2.0/-1',
    '::/129',
    '192.0.2.0/24/24',
    '/24',
  ])('%s is no network', (text) => {
    expect(parseBlock(text)).toBeUndefined();
  });

  test('as text and back is the same', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 128n - 1n), (bits) => {
        expect(parseAddress(addressText(bits, 6))?.bits).toBe(bits);
        expect(parseAddress(addressText(bits & 0xffffffffn, 4))?.bits).toBe(bits & 0xffffffffn);
      }),
    );
  });
});

describe('networks', () => {
  test('lose their host bits', () => {
    expect(cidr(networkOf(block('192.168.3.7/16')))).toBe('192.168.0.0/16');
    expect(cidr(networkOf(block('2001:db8::7/64')))).toBe('2001:db8::/64');
    expect(cidr(networkOf(block('203.0.113.7/0')))).toBe('0.0.0.0/0');
  });

  test.each([
    ['10.0.0.0/8', '10.244.0.0/16', true],
    ['10.244.0.0/16', '10.0.0.0/8', true],
    ['10.0.0.0/9', '10.128.0.0/9', false],
    ['0.0.0.0/0', '::/0', false],
    ['::/0', '::1/128', true],
  ])('%s and %s overlap: %s', (a, b, expected) => {
    expect(overlap(block(a), block(b))).toBe(expected);
  });

  test('overlap exactly when they have an address in common', () => {
    const small = fc.record({ bits: fc.bigInt(0n, 255n), prefix: fc.integer({ min: 24, max: 32 }) });
    const members = ({ bits, prefix }: { bits: bigint; prefix: number }): Set<bigint> => {
      const network = networkOf(block(`192.0.2.${bits}/${prefix}`));
      return new Set(
        Array.from({ length: 256 }, (_, last) => block(`192.0.2.${last}/32`))
          .filter((address) => contains(network, address))
          .map((address) => address.bits),
      );
    };
    fc.assert(
      fc.property(small, small, (a, b) => {
        const other = members(b);
        const isShared = [...members(a)].some((each) => other.has(each));
        expect(overlap(block(`192.0.2.${a.bits}/${a.prefix}`), block(`192.0.2.${b.bits}/${b.prefix}`))).toBe(
          isShared,
        );
      }),
      { numRuns: 50 },
    );
  });
});
