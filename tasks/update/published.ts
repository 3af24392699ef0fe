import { createHash } from 'node:crypto';
import process from 'node:process';
import type { Component, SumSource } from '../../generators/update/components.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import { askForDocument, noAnswer } from '../runtime/http.ts';

/** Official addresses → where they are fetched from. */
export type Place = (address: string) => string;

/** Versions of a line that the project of a component lists. */
export async function publishedVersions(
  { list }: Component,
  line: string,
  place: Place,
): Promise<Result<readonly string[], Failure>> {
  const { address, read } = list(line);
  const text = await textOf(address, place);
  if (!text.ok) return text;
  const versions = read(text.value);
  return versions.length > 0 ? ok(versions) : failed(noAnswer(place(address), 'it lists no release', next));
}

/** The checksum that a project publishes of a version; where it publishes none, that of the file. */
export async function publishedSum(
  { address, read }: SumSource,
  version: string,
  place: Place,
): Promise<Result<string, Failure>> {
  const text = await textOf(address, place);
  if (!text.ok) return text;
  const found = read ? read(text.value) : createHash('sha256').update(text.value, 'latin1').digest('hex');
  return found === undefined
    ? failed(noAnswer(place(address), `it has no checksum of version ${version}`, next))
    : ok(found);
}

const next =
  'Check the network and its proxy (HTTPS_PROXY, NO_PROXY), name a mirror with --mirror, or leave it out with --only';

/** Lists of thousands of charts have some megabytes. */
const most = 50 * 1024 * 1024;

async function textOf(address: string, place: Place): Promise<Result<string, Failure>> {
  const from = place(address);
  const answer = await askForDocument(from, { headers: headersFor(from), most, next });
  return answer.ok ? ok(answer.value.bytes.toString('latin1')) : answer;
}

/** GitHub answers strangers sixty times an hour; nobody else sees the token. */
function headersFor(address: string): Readonly<Record<string, string>> {
  const token = process.env['GITHUB_TOKEN'] ?? '';
  return token !== '' && address.startsWith('https://api.github.com/')
    ? { authorization: `Bearer ${token}` }
    : {};
}
