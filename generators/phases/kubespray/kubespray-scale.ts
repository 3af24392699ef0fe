import { kubesprayPhase } from './phase.ts';

/** Takes new workers in, and them alone. */
export const kubesprayScale = kubesprayPhase({
  name: 'kubespray-scale',
  what: 'Take the targets in as workers by facts.yml and scale.yml of kubespray',
  run: 'part',
});
