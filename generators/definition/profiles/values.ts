import type { Definition } from '../schema/schema.ts';

export type ProfileName = 'lab' | 'ha-stacked' | 'ha-dedicated-lb' | 'single';

type EndpointDefinition = NonNullable<Definition['controlPlaneEndpoint']>;
type LoadBalancer = NonNullable<EndpointDefinition['loadBalancer']>;
type ProfileHost = NonNullable<Definition['hosts']>[number];

/** What a profile is told; the shapes are the definition's own. */
export interface ProfileValues {
  /** Path or URL of the JSON Schema, for the editor's first line. */
  readonly schema?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly ansibleServer?: Definition['ansibleServer'];
  readonly installer?: NonNullable<Definition['installer']>;
  readonly containerd?: NonNullable<Definition['containerd']>;
  readonly offline?: NonNullable<Definition['offline']>;
  readonly network?: NonNullable<Definition['network']>;
  readonly ssh?: NonNullable<Definition['ssh']>;
  readonly storage?: NonNullable<Definition['storage']>;
  /** The virtual address with its prefix, and what the load balancer is told. */
  readonly endpoint?: Pick<EndpointDefinition, 'address' | 'port'> & Omit<LoadBalancer, 'placement'>;
  /** One with the role `load-balancer` or `storage` is written below `hosts`; load balancers are placed there. */
  readonly machines?: readonly ProfileMachine[];
}

export type ProfileMachine = Pick<ProfileHost, 'name' | 'address' | 'vrrpPriority' | 'ssh'> & {
  readonly roles: readonly ('control-plane' | 'etcd' | 'worker' | 'load-balancer' | 'storage')[];
};
