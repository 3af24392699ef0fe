import type { Result } from '../../generators/result.ts';
import type { ProgramFailure, ProgramOptions, ProgramOutput } from '../../tasks/runtime/program.ts';
import { programFailure, type LabFailure } from '../machine/lab-failure.ts';
import { checkHost, isMachine, type Lab } from '../state/lab.ts';
import { containerName } from './host-argv.ts';
import { agentExec } from './virtual/agent.ts';
import { runFiles } from './virtual/files.ts';

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
