import { addressText, parseAddress } from '../source/networks.ts';
import { failed, ok, type Result } from '../result.ts';

/** What is wrong with a range, and what would be right. */
export interface RangeProblem {
  readonly wrong: string;
  readonly right: string;
}

/** `node[01:20]`, `node[a:c]`, `10.0.0.[11:15]`, `node[1:9:2]`: Ansible's ranges, of which a word may hold several. */
export function expandRange(word: string): Result<readonly string[], RangeProblem> {
  const [, before = '', from = '', to = '', step = '1', after = ''] =
    /^([^[\]]*)\[([^[\]:]*):([^[\]:]*)(?::(\d+))?\](.*)$/.exec(word) ?? [];
  if (from === '' || to === '')
    return /[[\]]/.test(word)
      ? failed({ wrong: `${JSON.stringify(word)} is no range`, right: 'node[01:20]' })
      : ok([word]);
  const middle = valuesOf(from, to, Number(step));
  if (!middle.ok) return middle;
  const rest = expandRange(after);
  if (!rest.ok) return rest;
  if (middle.value.length * rest.value.length > most) return failed(tooMany);
  return ok(middle.value.flatMap((value) => rest.value.map((end) => before + value + end)));
}

function valuesOf(from: string, to: string, step: number): Result<readonly string[], RangeProblem> {
  const wrong = {
    wrong: `from ${from} to ${to} is no range`,
    right: 'numbers or letters, the smaller first, like 01:20',
  };
  if (step < 1) return failed({ wrong: 'a range goes on by one or more', right: '1' });
  if (/^\d+$/.test(from) && /^\d+$/.test(to)) {
    const [first, last] = [Number(from), Number(to)];
    const isPadded = from.startsWith('0') && from.length > 1;
    if (first > last || (isPadded && from.length !== to.length)) return failed(wrong);
    if (last - first > most) return failed(tooMany);
    return ok(steps(first, last, step).map((each) => String(each).padStart(isPadded ? from.length : 0, '0')));
  }
  if (!/^[a-z]$/i.test(from) || !/^[a-z]$/i.test(to) || from > to) return failed(wrong);
  return ok(steps(from.charCodeAt(0), to.charCodeAt(0), step).map((code) => String.fromCharCode(code)));
}

const steps = (first: number, last: number, step: number): number[] =>
  Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step);

/** `node1:2222` and `node[01:20]:2222`: the port of ssh behind a name or a range; addresses of IPv6 have none. */
export function splitPort(word: string): { readonly pattern: string; readonly port: string | undefined } {
  const [, pattern = word, port] = /^([^:]+(?:\[[^\]]*\][^:]*)*):(\d+)$/.exec(word) ?? [];
  return { pattern, port };
}

/** `10.0.0.11-10.0.0.15`, or `10.0.0.11-15`, as the inventory builder of kubespray took the first of them. */
export function expandAddresses(from: string, to: string): Result<readonly string[], RangeProblem> {
  const first = parseAddress(from);
  const last = parseAddress(/^\d{1,3}$/.test(to) ? from.replace(/\d+$/, to) : to);
  if (first?.family !== last?.family || !first || !last || last.bits < first.bits)
    return failed({ wrong: `from ${from} to ${to} are no addresses`, right: '10.0.0.11-10.0.0.15' });
  if (last.bits - first.bits >= BigInt(most)) return failed(tooMany);
  return ok(
    Array.from({ length: Number(last.bits - first.bits) + 1 }, (_, index) =>
      addressText(first.bits + BigInt(index), first.family),
    ),
  );
}

const most = 100_000;
const tooMany = { wrong: 'these are more than 100,000 machines', right: 'a shorter range' };
