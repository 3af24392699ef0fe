import { kubesprayPhase } from './phase.ts';

/** Takes out whom `kubespray-node-preflight` found leaving. */
export const kubesprayRemove = kubesprayPhase({
  name: 'kubespray-remove',
  what: 'Take the targets out by remove-node.yml of kubespray; what does not answer is forgotten without being asked',
  run: 'part',
});
