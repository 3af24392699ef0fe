import { flowText } from '../source/flow-text.ts';
import { optionPlace } from './options.ts';
import { part, type ImportPart, type Piece, type SecretNeed, type Wishes } from './part.ts';
import type { TextPlace } from '../source/foreign/node.ts';

/** Something secret that a file held: only whether two are the same matters, never what they are. */
export interface FoundSecret {
  readonly identity: string;
  /** The variable to ask for, where the file hints at one, else empty. */
  readonly variable: string;
  /** What a variable for it is called when there are others, like `WORKER`. */
  readonly owner: string;
}

/** A machine as somebody else's files describe it. */
export interface FoundMachine {
  readonly list: 'nodes' | 'hosts';
  readonly name: string;
  readonly address: string;
  readonly roles: readonly string[];
  readonly ssh: FoundSsh;
  /** What else the definition has a key for. */
  readonly more: Readonly<Record<string, unknown>>;
  /** Where keys of it were said. */
  readonly morePlaces?: Readonly<Record<string, TextPlace | undefined>>;
  readonly notes: readonly string[];
  readonly place: TextPlace;
  readonly addressPlace?: TextPlace | undefined;
}

export interface FoundSsh {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly user?: string | undefined;
  /** Where the user was said. */
  readonly userPlace?: TextPlace | undefined;
  readonly privateKey?: string | undefined;
  readonly proxyJump?: string | undefined;
  readonly hostKey?: readonly string[] | undefined;
  readonly password?: FoundSecret | undefined;
  readonly becomePassword?: FoundSecret | undefined;
}

/** Machines for the definition: what all have in common is said once, secrets are asked for by name. */
export function machinesPart(machines: readonly FoundMachine[], wishes: Wishes): ImportPart {
  const { variables, secrets } = nameSecrets(machines);
  const plain = machines.map((machine) => ({ machine, ssh: accessOf(machine, variables, wishes) }));
  const shared = commonOf(plain.map(({ ssh }) => ssh));
  const counts = { nodes: 0, hosts: 0 };
  const pieces = plain.flatMap(({ machine, ssh }) => {
    const index = counts[machine.list];
    counts[machine.list] += 1;
    return [
      ...machinePieces(machine, index, own(ssh, shared)),
      { path: [machine.list, index, 'ssh', 'user'], place: userPlaceOf(machine, wishes) },
    ];
  });
  const common: Piece[] = Object.keys(shared).length > 0 ? [{ path: ['ssh'], value: shared }] : [];
  const userPlace = plain
    .filter(({ ssh }) => ssh['user'] === shared['user'])
    .map(({ machine }) => userPlaceOf(machine, wishes))[0];
  return part({ pieces: [...common, { path: ['ssh', 'user'], place: userPlace }, ...pieces], secrets });
}

const userPlaceOf = ({ ssh }: FoundMachine, wishes: Wishes): TextPlace | undefined =>
  ssh.user === undefined ? optionPlace(wishes, '--user') : ssh.userPlace;

type AccessFields = Readonly<Record<string, unknown>>;

function accessOf({ ssh, address }: FoundMachine, variables: VariableNames, wishes: Wishes): AccessFields {
  const user = ssh.user ?? (wishes.user === '' ? undefined : wishes.user);
  const secret = (key: SecretKey): unknown => {
    const found = ssh[key];
    return found && { env: variables.get(`${key} ${found.identity}`) };
  };
  const all = {
    host: ssh.host === address ? undefined : ssh.host,
    port: ssh.port === 22 ? undefined : ssh.port,
    user,
    privateKey: ssh.privateKey,
    password: secret('password'),
    becomePassword: secret('becomePassword'),
    proxyJump: ssh.proxyJump,
    hostKey: ssh.hostKey?.length === 1 ? ssh.hostKey[0] : ssh.hostKey,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The most frequent value of each key that every machine has. */
function commonOf(all: readonly AccessFields[]): AccessFields {
  const keys = ['user', 'port', 'privateKey', 'password', 'becomePassword', 'proxyJump'];
  return Object.fromEntries(
    keys
      .filter((key) => all.length > 0 && all.every((access) => access[key] !== undefined))
      .map((key) => [key, mostFrequent(all.map((access) => access[key]))]),
  );
}

function mostFrequent(values: readonly unknown[]): unknown {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(JSON.stringify(value), (counts.get(JSON.stringify(value)) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return JSON.parse([...counts].find(([, count]) => count === most)?.[0] ?? 'null') as unknown;
}

const own = (ssh: AccessFields, shared: AccessFields): AccessFields =>
  Object.fromEntries(
    Object.entries(ssh).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(shared[key])),
  );

function machinePieces(machine: FoundMachine, index: number, ssh: AccessFields): Piece[] {
  const { list, name, address, roles, more, morePlaces = {}, notes, place, addressPlace = place } = machine;
  const path = [list, index];
  const value = {
    name,
    ...(list === 'nodes' ? { roles } : {}),
    address,
    ...more,
    ...(Object.keys(ssh).length > 0 ? { ssh } : {}),
  };
  return [
    { path, value, place },
    { path: [...path, 'address'], value: address, place: addressPlace },
    ...Object.entries(morePlaces).map(([key, each]) => ({ path: [...path, key], place: each })),
    ...notes.map((note) => ({ path, note })),
  ];
}

type SecretKey = 'password' | 'becomePassword';
type VariableNames = ReadonlyMap<string, string>;

/** One variable for each secret that differs; the plain name where all machines share one. */
function nameSecrets(machines: readonly FoundMachine[]): { variables: VariableNames; secrets: SecretNeed[] } {
  const variables = new Map<string, string>();
  const secrets: SecretNeed[] = [];
  for (const key of ['password', 'becomePassword'] as const) {
    const found = machines.flatMap(({ name, ssh }) => (ssh[key] ? [{ name, secret: ssh[key] }] : []));
    const groups = groupBy(found, ({ secret }) => secret.identity);
    for (const [identity, members] of groups) {
      const hint = members.map(({ secret }) => secret.variable).find((each) => each !== '');
      const variable = free(
        hint ?? secretName(members, { base: bases[key], isAlone: groups.size === 1 }),
        variables,
      );
      variables.set(`${key} ${identity}`, variable);
      secrets.push({ variable, what: `${words[key]} of ${someOf(members.map(({ name }) => name))}` });
    }
  }
  return { variables, secrets };
}

/** Items by a key, in the order in which the keys come first. */
export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** The base alone where all have one secret, or where those that share it have nothing else in common. */
function secretName(
  members: readonly { readonly secret: FoundSecret }[],
  { base, isAlone }: { readonly base: string; readonly isAlone: boolean },
): string {
  const [owner = '', ...others] = new Set(members.map(({ secret }) => secret.owner));
  return isAlone || owner === '' || others.length > 0 ? base : `${owner}_${base}`;
}

const free = (wanted: string, variables: VariableNames): string => {
  const taken = new Set(variables.values());
  const word = wanted.toUpperCase().replaceAll(/\W/g, '_');
  if (!taken.has(word)) return word;
  return (
    Array.from({ length: taken.size + 1 }, (_, index) => `${word}_${index + 2}`).find(
      (each) => !taken.has(each),
    ) ?? word
  );
};

/** `a, b, c and 7 more` */
export const someOf = (names: readonly string[]): string =>
  names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');

const bases = { password: 'SSH_PASSWORD', becomePassword: 'SUDO_PASSWORD' } as const;
const words = { password: 'the login password', becomePassword: 'the sudo password' } as const;

/** Marks in the definition where they have an effect, else in a comment. */
export const keepMarks = (
  more: Readonly<Record<string, unknown>>,
  hasInstaller: boolean,
): { readonly more: Readonly<Record<string, unknown>>; readonly notes: readonly string[] } =>
  hasInstaller || Object.keys(more).length === 0
    ? { more, notes: [] }
    : { more: {}, notes: [`takes effect with \`installer\`: ${flowText(more)}`] };
