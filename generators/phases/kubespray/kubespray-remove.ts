import { kubesprayPhase } from './phase.ts';

/** Takes out whom `kubespray-node-preflight` found leaving. */
export const kubesprayRemove = kubesprayPhase({
  name: 'kubespray-remove',
  what: "Remove the targets with kubespray's remove-node.yml; those that do not answer are removed without connecting to them",
  run: 'part',
});
