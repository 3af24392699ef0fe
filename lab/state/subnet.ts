/** The n-th address of a /24 like `10.77.0.0/24`. */
export const hostAddress = (subnet: string, n: number): string => subnet.replace(/\d+\/24$/, String(n));

export const isLabSubnet = (subnet: string): boolean => {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.0\/24$/.exec(subnet)?.slice(1).map(Number);
  return parts !== undefined && parts.every((part) => part <= 255) && isPrivate(parts);
};

/** The first /24 from 10.77.0.0/24 on that overlaps none of the networks this machine already knows, or undefined. */
export const chooseSubnet = (taken: readonly string[]): string | undefined =>
  Array.from({ length: 256 }, (_, n) => `10.77.${n}.0/24`).find((subnet) => isFree(subnet, taken));

/** Whether a subnet overlaps none of these networks or addresses. */
export const isFree = (subnet: string, taken: readonly string[]): boolean =>
  !taken.some((other) => overlaps(range(subnet), range(other)));

const isPrivate = ([a = 0, b = 0]: readonly number[]): boolean =>
  a === 10 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168);

type AddressRange = readonly [first: number, last: number];

const overlaps = (a: AddressRange, b: AddressRange): boolean => a[0] <= b[1] && b[0] <= a[1];

function range(network: string): AddressRange {
  const [address = '', prefix = '32'] = network.split('/');
  const size = 2 ** (32 - Number(prefix));
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const first = Math.floor(number / size) * size;
  return [first, first + size - 1];
}
