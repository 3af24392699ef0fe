import { noProxyEntry, proxyUrl } from '../definition/schema/machines/proxy-judges.ts';
import type { Path } from '../source/finding.ts';
import { withoutCredentials } from './masked.ts';
import { withoutHostBits } from './networks.ts';
import { correctable, joinParts, part, type ImportPart, type Wishes } from './part.ts';
import { doubtAt, wrongAt, type TextPlace, type ForeignScalar } from '../source/foreign/node.ts';

/** A network: with host bits set it is refused, or corrected where that is wished. */
export function networkPart(
  path: Path,
  { text, place }: { text: string; place: TextPlace },
  wishes: Wishes,
): ImportPart {
  const right = withoutHostBits(text);
  const piece = part({ pieces: [{ path, value: right === undefined || !wishes.fix ? text : right, place }] });
  return right === undefined
    ? piece
    : joinParts([
        piece,
        correctable(
          wrongAt(place, `${text} has host bits set: it is an address inside ${right}`, right),
          wishes,
        ),
      ]);
}

/** The URL of a proxy, without a user and a password: a definition refers to them, if its installer lets nobody read them. */
export function proxyPart(key: 'http' | 'https', node: ForeignScalar, wishes: Wishes): ImportPart {
  const url = withoutCredentials(node.text);
  const path = ['proxy', key];
  const verdict = proxyUrl(url);
  if (verdict)
    return joinParts([
      part(wishes.fix ? { kept: [{ title: `Left out of \`proxy.${key}\`:`, data: { [key]: url } }] } : {}),
      correctable(
        wrongAt(node.place, verdict.wrong, wishes.fix ? 'left out' : `${verdict.right}; --fix leaves it out`),
        wishes,
      ),
    ]);
  return part({
    pieces: [{ path, value: url, place: node.place }],
    problems:
      url === node.text
        ? []
        : [
            doubtAt(
              node.place,
              'the user and the password of this proxy are left out: they would be readable in every file',
              '`proxy.credentials`, by references to secrets; with kubespray a proxy that asks nobody',
            ),
          ],
  });
}

/** What is reached without the proxy: entries that nobody could understand are left out and told. */
export function noProxyPart(node: ForeignScalar): ImportPart {
  const entries = node.text.split(',').map((each) => each.trim());
  const said = entries.filter((each) => each !== '' && !isOwn(each));
  const sound = said.map(correctDomain).filter((each) => noProxyEntry(each) === undefined);
  const wrong = said.filter((each) => noProxyEntry(correctDomain(each)) !== undefined);
  return part({
    pieces:
      sound.length === 0
        ? []
        : [{ path: ['proxy', 'noProxy'], value: [...new Set(sound)], place: node.place }],
    problems: wrong.map((each) =>
      doubtAt(
        node.place,
        `${JSON.stringify(each)} is left out: it is no host, domain, address or network`,
        '.example.org or 10.0.0.0/8',
      ),
    ),
  });
}

/** `*.example.org` is what curl never understood, and `.example.org` what was meant. */
const correctDomain = (entry: string): string => entry.replace(/^\*(?=\.)/, '');

/** Added to every cluster anyway. */
const isOwn = (entry: string): boolean =>
  ['localhost', '127.0.0.1', '::1', '.svc', '.cluster.local'].includes(entry);
