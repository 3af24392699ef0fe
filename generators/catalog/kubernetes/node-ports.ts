/** Ports of every node, both ends included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** `DefaultServiceNodePortRange` of pkg/kubeapiserver/options. */
export const usualNodePorts: PortRange = { first: 30_000, last: 32_767 };

/** Reads `service-node-port-range` as the API server does: `30000-32767`, `30000+2767` or one port; undefined: it would not start. */
export function readNodePorts(text: string): PortRange | undefined {
  const [, low = '', sign, end = ''] = /^(\d{1,5})(?:([+-])(\d{1,5}))?$/.exec(text.trim()) ?? [];
  if (text.trim() === '') return usualNodePorts;
  if (low === '') return undefined;
  const first = Number(low);
  const last = sign === undefined ? first : sign === '-' ? Number(end) : first + Number(end);
  return last > 65_535 || last < first ? undefined : { first, last };
}

/** `30000-32767` */
export const rangeText = ({ first, last }: PortRange): string => `${first}-${last}`;
