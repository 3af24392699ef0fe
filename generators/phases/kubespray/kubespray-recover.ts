import { kubesprayPhase } from './phase.ts';

/** Recovers whom `kubespray-node-preflight` found broken. */
export const kubesprayRecover = kubesprayPhase({
  name: 'kubespray-recover',
  what: "Recover broken control planes and etcd members with kubespray's recover-control-plane.yml",
  run: 'part',
});
