import { execFileSync } from 'node:child_process';
import { load } from 'js-yaml';

/** What tags of kubespray have for a variable where nobody says it: defaults of its roles, and what its sample inventory proposes. */
export type Defaults = ReadonlyMap<string, readonly unknown[]>;

/** Read from a git repository of kubespray; what is commented out in a file counts, since that is how it proposes. */
export function defaultsOf(repository: string, tag: string, names: readonly string[]): Defaults {
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-C', repository, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const paths = git('ls-tree', '-r', '--name-only', tag, 'roles', 'inventory/sample')
    .split('\n')
    .filter((path) => /(?:\/(?:defaults|vars)\/|group_vars\/).*\.ya?ml$/.test(path))
    .filter((path) => !path.includes('checksums'));
  const texts = git('grep', '-h', '', tag, '--', ...paths).split('\n');
  const found = new Map<string, readonly unknown[]>();
  texts.forEach((line, at) => {
    const [, comment = '', name = ''] = /^(# ?)?([a-z]\w*):(?: |$)/.exec(line) ?? [];
    if (!names.includes(name)) return;
    const value = valueAt(texts, at, { name, comment });
    const others = found.get(name) ?? [];
    const isNew =
      value !== undefined && !others.some((each) => JSON.stringify(each) === JSON.stringify(value));
    if (isNew) found.set(name, [...others, value]);
  });
  return found;
}

/** The line and those that go on below it; undefined where that is no YAML. */
function valueAt(lines: readonly string[], at: number, { name, comment }: { name: string; comment: string }) {
  const plain = (line: string): string => (comment === '' ? line : line.replace(/^# ?/, ''));
  const end = lines.findIndex(
    (line, index) =>
      index > at && (!/^(?:\s|- )/.test(plain(line)) || (comment !== '' && !line.startsWith('#'))),
  );
  try {
    const text = lines.slice(at, end).map(plain).join('\n');
    return (load(text) as Readonly<Record<string, unknown>>)[name];
  } catch {
    return undefined;
  }
}
