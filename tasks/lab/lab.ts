import { ok, type Result } from '../../generators/result.ts';
import type { ProgramFailure, ProgramOptions, ProgramOutput } from '../runtime/program.ts';
import { engine, type Engine } from './engine.ts';
import { containerName } from './host-argv.ts';
import { labFailure, programFailure, type LabFailure } from './lab-failure.ts';
import { place, type Place } from './place.ts';
import { isVirtual } from './shape.ts';
import { readState, type LabState } from './state.ts';
import { agentExec } from './virtual/agent.ts';
import { runFiles } from './virtual/files.ts';

/** A lab that exists, to be looked at or changed. */
export interface Lab {
  readonly engine: Engine;
  readonly state: LabState;
}

export const defaultLab = 'lab';

/** The lab of that name. */
export async function openLab(name = defaultLab, where: Place = place()): Promise<Result<Lab, LabFailure>> {
  const state = await readState(where, name);
  return state === undefined
    ? labFailure(`There is no lab named ${name}`, 'Make one: npx task lab up')
    : ok({ engine: await engine(where), state });
}

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

/** Runs a program as root inside a host; for the lab itself, its demonstration and tests only. */
export async function exec(
  lab: Lab,
  host: string,
  argv: readonly string[],
  options: ProgramOptions = {},
): Promise<Result<ProgramOutput, LabFailure>> {
  const known = checkHost(lab, host);
  if (!known.ok) return known;
  const ran = await (isMachine(lab, host) ? execInMachine : execInContainer)(lab, host, argv, options);
  return ran.ok ? ran : programFailure(`${argv[0] ?? ''} on ${host}`, ran.failure);
}

type Exec = (
  lab: Lab,
  host: string,
  argv: readonly string[],
  options: ProgramOptions,
) => Promise<Result<ProgramOutput, ProgramFailure>>;

const execInMachine: Exec = ({ engine: { place }, state }, host, argv, options) =>
  agentExec(runFiles(place, state.name, host).agent, argv, options);

const execInContainer: Exec = ({ engine, state }, host, argv, options) => {
  const input = options.input === undefined ? [] : ['--interactive'];
  return engine.podman(['exec', ...input, containerName(state.name, host), ...argv], options);
};
