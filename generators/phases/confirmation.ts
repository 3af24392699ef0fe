import type { Parameter } from './phase.ts';

/** Whether a name has to be typed there before something is lost; `--confirm` gives it, whatever the playbook calls it. */
export const isConfirmation = ({ variable }: Pick<Parameter, 'variable'>): boolean =>
  variable.endsWith('_confirm');

/** `--confirm <name of the cluster>`: what destroys something is never ready to be pasted. */
export const confirmingOption = ({ what }: Pick<Parameter, 'what'>): string =>
  `--confirm <${what.replace(/,.*/s, '').replace(/^the /, '')}>`;
