import { columns } from './columns.ts';
import { bugExitCode, exitCodes, type Failure } from './failures.ts';

/** What is to know of one kind of failure, whichever words its message has. */
export interface FailureEntry {
  readonly title: string;
  /** What leads to it, one sentence each. */
  readonly causes: readonly string[];
  /** What helps, in the order in which to try it. */
  readonly remedies: readonly string[];
}

export type FailureKind = Failure['kind'] | 'bug';

/** The exit code of a kind. */
export const codeOf = (kind: FailureKind): number => (kind === 'bug' ? bugExitCode : exitCodes[kind]);

/** Every exit code with the kind of failure that it stands for, in columns. */
export const exitCodeTable = (): string =>
  columns([
    ['code', 'kind', ''],
    ['0', '', 'Done'],
    ...kinds().map((kind) => [String(codeOf(kind)), kind, catalogue[kind].title]),
  ]);

const kinds = (): readonly FailureKind[] => Object.keys(catalogue) as FailureKind[];

/** The one source of `npx task explain` and of docs/reference/failures.md, in the order of exit codes. */
export const catalogue: Readonly<Record<FailureKind, FailureEntry>> = {
  usage: {
    title: 'The command line cannot be understood',
    causes: [
      'A task, an option or a value is not known, or two of them exclude each other.',
      'A question had to be asked without a terminal, or the answer was no.',
    ],
    remedies: [
      'npx task help <task> shows options and an example.',
      'Without a terminal, say --yes where the task has it.',
    ],
  },
  definition: {
    title: 'The definition has problems',
    causes: ['A key is unknown or missing, a value is not possible, or two parts contradict each other.'],
    remedies: [
      'Every problem is shown with line, column and what would be right; npx task check lists them again.',
    ],
  },
  drift: {
    title: 'The bundle is not what the definition renders to',
    causes: [
      'The definition, or this package, was changed after the last render.',
      'A file below playbooks/ was edited by hand.',
    ],
    remedies: ['npx task render writes it again; read and commit the difference.'],
  },
  review: {
    title: 'Review is required, and something is not committed',
    causes: [
      'The definition says review: required, here or in the commit, and it or a file of its bundle differs from the commit.',
      'It says review: pushed:<remote>/<branch>, and the commit is not there, or the remote does not answer.',
      'The definition or the folder of the bundle lies outside of the checkout, or is a symbolic link.',
    ],
    remedies: ['Commit the files that are listed, or undo the change.', 'Have the commit merged, and pull.'],
  },
  file: {
    title: 'A file of this machine cannot be read or written',
    causes: ['It does not exist, exists already, belongs to somebody else, or the disk is full.'],
    remedies: [
      'The message names the file and the reason.',
      'npx task init writes a definition; --file names another one.',
    ],
  },
  secret: {
    title: 'A secret has no value',
    causes: [
      'The variable is not set, the file is not there, the command failed, or the vault was not opened.',
    ],
    remedies: ['The message names the reference in the definition: set what it refers to, and call again.'],
  },
  lint: {
    title: 'ansible-lint does not accept the playbooks',
    causes: [
      'A playbook was edited by hand.',
      'The ansible-lint of this machine is newer than those that Playsmith was tested with, and has new rules.',
      'ansible-lint is not installed on this machine.',
    ],
    remedies: [
      'npx task render writes the playbooks as they were tested.',
      'Install ansible-lint, or leave --lint out.',
    ],
  },
  connection: {
    title: 'The Ansible server does not answer',
    causes: [
      'The machine, its sshd or the network on the way is down, or a firewall drops the connection.',
      'A connection was lost and could not be opened again; a run that was started goes on.',
    ],
    remedies: ['ssh to it by hand.', 'npx task attach follows a run that goes on.'],
  },
  authentication: {
    title: 'The Ansible server refuses the login',
    causes: ['No key that is offered is known there, the agent has none, or the password is wrong.'],
    remedies: [
      'ssh with the same user and key by hand; ansibleServer.auth in the definition says which are used.',
    ],
  },
  'host-key': {
    title: 'The host key is not known, or changed',
    causes: ['The machine is new, was reinstalled, or somebody is intercepting the connection.'],
    remedies: ['Compare the key with one from a source that you trust; then npx task trust, or known_hosts.'],
  },
  server: {
    title: 'The Ansible server lacks something',
    causes: [
      'Ansible, ansible-runner, Python, space or a right is missing there, or its version is too old.',
    ],
    remedies: ['npx task doctor says what; npx task bootstrap installs Ansible on a bare server.'],
  },
  bundle: {
    title: 'The bundle on the server is not what was sent',
    causes: ['Somebody edited a file there, or the disk damaged it.'],
    remedies: ['Find out who; remove the folder of that digest on the server, and npx task push.'],
  },
  locked: {
    title: 'Another run holds the cluster',
    causes: ['Somebody runs or applies something now, or a run was lost and left its lock.'],
    remedies: [
      'npx task runs says who; wait, or npx task attach.',
      'npx task unlock removes a lock whose run is gone.',
    ],
  },
  run: {
    title: 'No such run, or it was lost',
    causes: [
      'The id is wrong, or no run of this cluster is known there.',
      'The server was rebooted, or the process of the run was killed.',
    ],
    remedies: [
      'npx task runs lists them; npx task logs <run> shows how far one came.',
      'After a lost one: npx task unlock, then run it again.',
    ],
  },
  stale: {
    title: 'What was shown is no longer what would be done',
    causes: ['The definition, or what is applied, changed between plan and apply.'],
    remedies: ['npx task plan, read it, and apply that one.'],
  },
  refused: {
    title: 'The definition asks for what cannot be done in place',
    causes: ['A change, like that of the pod network, cannot be made to a cluster that stands.'],
    remedies: ['Revert the change, or run npx task heal-cluster, which rebuilds the cluster.'],
  },
  playbook: {
    title: 'A task failed on a host',
    causes: ['A module or program on the host said so; its words stand below the message.'],
    remedies: [
      'npx task report shows failures first, the earliest at the top; npx task logs all that was printed.',
      'Mend the cause and run it again: what was done is left as it is. After an apply: npx task resume.',
    ],
  },
  unreachable: {
    title: 'A host did not answer',
    causes: ['It is down, its address is wrong, or the Ansible server may not log in there.'],
    remedies: [
      'npx task doctor tries every host.',
      'A node that stays dead: npx task heal-node or replace-node.',
    ],
  },
  cancelled: {
    title: 'The run was cancelled',
    causes: ['Somebody chose to, by Ctrl-C or npx task cancel.'],
    remedies: ['Run it again; after an apply: npx task resume.'],
  },
  unfit: {
    title: 'A check of doctor failed',
    causes: ['The Ansible server, or a host that the definition names, is not as a run needs it.'],
    remedies: ['Each check that failed says what helps.'],
  },
  left: {
    title: 'We stopped watching; the run goes on',
    causes: ['Ctrl-C, or the end of the terminal.'],
    remedies: ['npx task attach follows it, from any machine; npx task cancel stops it.'],
  },
  drifted: {
    title: 'Hosts differ from what was applied',
    causes: ['Somebody changed a host by hand, or the definition was changed and not applied.'],
    remedies: ['Run the phase that is named for each difference; or npx task plan.'],
  },
  slow: {
    title: 'A drill took longer than the definition allows',
    causes: [
      'Clients of the API, or a writer on a test volume, had no answer for longer than drills.limits allows. The fault was reverted.',
    ],
    remedies: [
      'npx task report shows each fault with the longest outage, beside the last drill.',
      'failover: fast and shorter checks of HAProxy and Keepalived bring it down; of storage, mount options like timeo; a higher limit accepts it.',
    ],
  },
  lab: {
    title: 'The lab cannot be created or changed here',
    causes: ['podman, the kernel or space of this machine does not allow it, or a lab is in the way.'],
    remedies: ['The message names what is missing; docs/lab.md tells what a machine needs.'],
  },
  bug: {
    title: 'A bug in Playsmith',
    causes: ['Something happened that Playsmith does not expect.'],
    remedies: ['Report it with what was printed; the run on the server, if one was started, goes on.'],
  },
};

/** One kind as plain text. */
export const entryText = (kind: FailureKind): string => {
  const { title, causes, remedies } = catalogue[kind];
  const listed = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n');
  return `${kind}, exit code ${codeOf(kind)}: ${title}\n\nCause\n${listed(causes)}\n\nRemedy\n${listed(remedies)}`;
};

/** All kinds as a page of the reference. */
export function cataloguePage(): string {
  const sections = kinds().map((kind) => {
    const { title, causes, remedies } = catalogue[kind];
    const listed = (lines: readonly string[]): string =>
      lines.map((line) => `- ${line.replaceAll('<', '\\<')}`).join('\n');
    return `## ${codeOf(kind)}: \`${kind}\`\n\n${title}.\n\nCause:\n\n${listed(causes)}\n\nRemedy:\n\n${listed(remedies)}\n`;
  });
  return `${head}\n${indexRows().join('\n')}\n\n${sections.join('\n')}`;
}

const head = `# Failures and exit codes

Every kind of failure has an exit code of its own. \`npx task explain <kind or exit code>\` shows the same as this page;
\`npx task help exit-codes\` its table.

| code | kind | means |
|---|---|---|
| 0 | | Done |`;

const indexRows = (): readonly string[] =>
  kinds().map((kind) => {
    const { title } = catalogue[kind];
    const anchor = `${codeOf(kind)}-${kind}`;
    return `| ${codeOf(kind)} | [\`${kind}\`](#${anchor}) | ${title} |`;
  });
