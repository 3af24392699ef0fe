import type { KeepalivedSettings } from '../cluster/cluster.ts';
import { defaults } from '../definition/defaults.ts';
import { milliseconds } from '../definition/schema/judges.ts';
import type { Definition } from '../definition/schema/schema.ts';

type KeepalivedDefinition = NonNullable<
  NonNullable<Definition['controlPlaneEndpoint']>['loadBalancer']
>['keepalived'];

/** What keepalived is told about one virtual address; `computed` holds where nothing is written. */
export function resolveKeepalived(
  written: KeepalivedDefinition,
  computed: Pick<KeepalivedSettings, 'interface' | 'virtualRouterId' | 'version' | 'passwordVariable'>,
): KeepalivedSettings {
  const own = defaults.keepalived;
  const failover = written?.failover ?? own.failover;
  const { interval, fall, rise } = checkOf(
    written?.check,
    failover === 'fast' ? { ...own, fall: own.fastFall } : own,
  );
  return {
    interface: computed.interface,
    virtualRouterId: written?.virtualRouterId ?? computed.virtualRouterId,
    version: computed.version,
    transport: written?.transport ?? own.transport,
    election: written?.election ?? own.election,
    advertisementInterval:
      milliseconds(written?.advertisementInterval ?? own.advertisementInterval[failover]) / 1000,
    check: { intervalSeconds: milliseconds(interval) / 1000, fall, rise },
    passwordVariable: written?.password ? computed.passwordVariable : '',
  };
}

interface Check {
  readonly interval: string;
  readonly fall: number;
  readonly rise: number;
}

/** How something is watched, where not everything is written. */
export const checkOf = (
  written: { [Key in keyof Check]?: Check[Key] | undefined } | undefined,
  own: Check,
): Check => ({
  interval: written?.interval ?? own.interval,
  fall: written?.fall ?? own.fall,
  rise: written?.rise ?? own.rise,
});
