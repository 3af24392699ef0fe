import { hasMirrorUrls } from '../../catalog/kubespray/features.ts';
import type { KubesprayRelease } from '../../catalog/kubespray/releases.ts';
import { fileHosts, imageRepositories } from '../../phases/kubespray/mirrors.ts';
import { isNull, textOf } from '../../source/foreign/look.ts';
import { doubtAt, type MapEntry } from '../../source/foreign/node.ts';
import { someOf } from '../machines.ts';
import { part, type ImportPart } from '../part.ts';
import { plainText, type VariablesOfHost } from './ssh.ts';

/** A server of files and a registry that stand for every public host, as kubespray's sample offline.yml has them. */
export function offlinePart(variables: VariablesOfHost, { tag, minor }: KubesprayRelease): ImportPart {
  const [files, registry] = [variables.get('files_repo'), variables.get('registry_host')];
  const mirror = { files: plainText(files?.value), registry: plainText(registry?.value) };
  if (!files || !registry || mirror.files === undefined || mirror.registry === undefined) return part({});
  if (!hasMirrorUrls(minor))
    return part({
      problems: [
        doubtAt(
          files.keyPlace,
          `kubespray ${tag} knows no mirrors of whole hosts, so files_repo and registry_host are not taken over`,
          'kubespray v2.25.0 or later; or the URL of every file below `variables`',
        ),
      ],
    });
  const found = derivedFrom({ files: mirror.files, registry: mirror.registry }, variables);
  const others = found.filter(({ isDerived }) => !isDerived);
  const missing = [...imageRepositories, ...Object.keys(fileHosts)].filter(
    (name) => !isSaid(variables, name),
  );
  // Whether their ends are those of the tag nobody knows here.
  const urls = [...variables.values()]
    .filter(({ key, value }) => key.endsWith('_download_url') && textOf(value)?.includes('files_repo'))
    .map(({ key }) => key);
  const path = ['installer', 'kubespray', 'offline'];
  return part({
    pieces: [
      { path: [...path, 'files'], value: mirror.files, place: files.value.place },
      { path: [...path, 'registry'], value: mirror.registry, place: registry.value.place },
    ],
    taken: [files, registry, ...found.flatMap(({ entry, isDerived }) => (isDerived ? [entry] : []))].map(
      ({ keyPlace }) => keyPlace,
    ),
    problems: others.map(({ entry }) =>
      doubtAt(
        entry.keyPlace,
        `\`${entry.key}\` does not follow from files_repo and registry_host, and is not taken over: with \`offline\` everything comes from these two`,
        'the same, or no `offline`',
      ),
    ),
    assumptions: [
      ...(missing.length === 0
        ? []
        : [`\`offline\` is for everything: until now nothing said ${someOf(missing)}`]),
      ...(urls.length === 0
        ? []
        : [
            `kubespray knows where single files lie below files_repo: ${someOf(urls)} ${urls.length === 1 ? 'is' : 'are'} listed and not taken over`,
          ]),
    ],
  });
}

interface Mirror {
  readonly files: string;
  readonly registry: string;
}

const isSaid = (variables: VariablesOfHost, name: string): boolean =>
  variables.has(name) && !isNull(variables.get(name)?.value);

/** The variables that kubespray gets from `offline`, and whether they are what it gets. */
function derivedFrom(
  { files, registry }: Mirror,
  variables: VariablesOfHost,
): readonly { readonly entry: MapEntry; readonly isDerived: boolean }[] {
  const below = (text: string): string => text.replace(/^\{\{\s*files_repo\s*\}\}/, files);
  return [...variables.values()].flatMap((entry) => {
    const text = textOf(entry.value) ?? '';
    const host = Object.entries(fileHosts).find(([name]) => name === entry.key)?.[1];
    if (imageRepositories.includes(entry.key)) return [{ entry, isDerived: text === registry }];
    return host === undefined ? [] : [{ entry, isDerived: below(text) === `${files}/${host}` }];
  });
}
