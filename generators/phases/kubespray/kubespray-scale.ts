import { kubesprayPhase } from './phase.ts';

/** Takes new workers in, and them alone. */
export const kubesprayScale = kubesprayPhase({
  name: 'kubespray-scale',
  what: "Add the targets as workers with kubespray's facts.yml and scale.yml",
  run: 'part',
});
