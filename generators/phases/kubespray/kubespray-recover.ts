import { kubesprayPhase } from './phase.ts';

/** Recovers whom `kubespray-node-preflight` found broken. */
export const kubesprayRecover = kubesprayPhase({
  name: 'kubespray-recover',
  what: 'Make broken control planes and members of etcd anew by recover-control-plane.yml of kubespray',
  run: 'part',
});
