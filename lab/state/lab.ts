import { ok, type Result } from '../../generators/result.ts';
import { quote } from '../../tasks/runtime/command.ts';
import { engine, type Engine } from '../machine/engine.ts';
import { labFailure, type LabFailure } from '../machine/lab-failure.ts';
import { place, type LabPlace } from '../machine/place.ts';
import { isVirtual } from './shape.ts';
import { readState, type LabState } from './state.ts';

/** A lab that exists, to be looked at or changed. */
export interface Lab {
  readonly engine: Engine;
  readonly state: LabState;
}

export const defaultLab = 'lab';

/** The lab of that name. */
export async function openLab(
  name = defaultLab,
  where: LabPlace = place(),
): Promise<Result<Lab, LabFailure>> {
  const state = await readState(where, name);
  return state === undefined
    ? labFailure(`There is no lab named ${name}`, `Make one: npx task lab up${labOption(name)}`)
    : ok({ engine: await engine(where), state });
}

/** How a command names a lab that is not the one without a name. */
export const labOption = (name: string): string => (name === defaultLab ? '' : ` --name ${quote(name)}`);

/** Advice about a lab, whose commands name it: without, they are about another one. */
export const adviceFor = (name: string, text: string): string =>
  text.replace(/npx task lab \w+(?! --name)\b/g, (command) => `${command}${labOption(name)}`);

/** Whether a lab has a host of that name. */
export const checkHost = ({ state }: Lab, host: string): Result<void, LabFailure> =>
  state.hosts.some(({ name }) => name === host)
    ? ok(undefined)
    : labFailure(
        `The lab ${state.name} has no host ${host}`,
        `It has ${state.hosts.map(({ name }) => name).join(', ')}`,
      );

/** Whether a host is a virtual machine. */
export const isMachine = ({ state }: Lab, host: string): boolean =>
  state.hosts.some((each) => each.name === host && isVirtual(each));
