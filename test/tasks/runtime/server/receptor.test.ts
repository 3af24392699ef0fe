import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { python } from '../../../support/python.ts';

// A Receptor's socket that says what the test tells it to, and a key that signs.
const stand = `
import base64, os, socket, subprocess, tempfile, threading
from playsmith import receptor

folder = tempfile.mkdtemp()
receptor.SOCKET, receptor.WORK_KEY = os.path.join(folder, "socket"), os.path.join(folder, "work.key")
public = os.path.join(folder, "work.pub")
subprocess.run(["openssl", "genpkey", "-algorithm", "RSA", "-out", receptor.WORK_KEY], capture_output=True, check=True)
subprocess.run(["openssl", "pkey", "-in", receptor.WORK_KEY, "-pubout", "-out", public], capture_output=True, check=True)
listener = socket.socket(socket.AF_UNIX)
listener.bind(receptor.SOCKET)
listener.listen()

def serve(replies, heard):
    talk, _ = listener.accept()
    with talk, talk.makefile("rwb") as file:
        file.write(b"Receptor Control, node control\\n")
        file.flush()
        for reply in replies:
            heard.append(file.readline().decode().rstrip("\\n"))
            file.write(reply.encode())
            file.flush()
        file.readline()

def results(it):
    heard = []
    receptor.ask = lambda command: heard.append(command) or it["status"]
    receptor.WORK_KEY, receptor.STALLED_SECONDS = os.path.join(folder, it["key"]), it["stalled"]
    serving = threading.Thread(target=serve, args=(it["replies"], heard), daemon=True)
    if it["replies"]:
        serving.start()
    try:
        with receptor.results_there("exec1", "u1", it["place"]) as file:
            outcome = b"".join(file.readline() for _ in range(it["lines"])).decode()
    except receptor.LOST as error:
        outcome = {"lost": str(error)}
    if it["replies"]:
        serving.join(5)
    return {"heard": heard, "outcome": outcome}

def verified(token):
    text, _, signed = token.rpartition(".")
    decode = lambda part: base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    path = os.path.join(folder, "signature")
    with open(path, "wb") as file:
        file.write(decode(signed))
    words = ["openssl", "dgst", "-sha512", "-verify", public, "-signature", path]
    good = subprocess.run(words, input=text.encode(), capture_output=True, check=False).returncode == 0
    return {"good": good, "parts": [decode(part).decode() for part in text.split(".")]}
`;

let receptor: ReturnType<typeof python>;

beforeAll(() => {
  receptor = python(stand, '{"results": results, "verified": verified}[it["what"]](it["with"])');
});
afterAll(() => {
  receptor.close();
});

interface Read {
  readonly heard: readonly string[];
  readonly outcome: string | { readonly lost: string };
}

const usual = {
  key: 'work.key',
  place: 7,
  stalled: 5,
  /** How many are read. */
  lines: 2,
  status: { ExtraData: { RemoteUnitID: 'there1' } } as object,
  replies: [
    'Connecting\nReceptor Control, node exec1\n',
    'Streaming results for work unit there1\n{"event": 1}\n{"done": {}}\n',
  ] as readonly string[],
};

const read = async (special: Partial<typeof usual> = {}): Promise<Read> =>
  (await receptor.ask({ what: 'results', with: { ...usual, ...special } })) as Read;

describe('what a unit of work tells', () => {
  test('is asked of the node that does it, over TLS, from a byte on, signed for that node', async () => {
    const { heard, outcome } = await read();
    expect(outcome).toBe('{"event": 1}\n{"done": {}}\n');
    expect(heard.slice(0, 2)).toEqual(['work status u1', 'connect exec1 control mesh-client']);
    const { signature, ...request } = JSON.parse(heard[2] ?? '') as Readonly<Record<string, unknown>>;
    expect(request).toEqual({ command: 'work', subcommand: 'results', unitid: 'there1', startpos: 7 });
    const { good, parts } = (await receptor.ask({ what: 'verified', with: signature })) as {
      readonly good: boolean;
      readonly parts: readonly string[];
    };
    expect(good).toBe(true);
    const [header, claims] = parts.map((part) => JSON.parse(part) as Readonly<Record<string, unknown>>);
    expect(header).toEqual({ alg: 'RS512', typ: 'JWT' });
    expect(claims?.['aud']).toBe('exec1');
    const seconds = Number(claims?.['exp']) - Date.now() / 1000;
    expect(seconds).toBeGreaterThan(590);
    expect(seconds).toBeLessThan(610);
  });

  test.each([
    ['has not begun there', { status: { ExtraData: null }, replies: [] }, 'not known to have begun'],
    ['says nothing any more', { stalled: 0.3, lines: 3 }, 'timed out'],
    ['is not reached', { replies: ['ERROR: no route to node\n'] }, 'no route to node'],
    [
      'is refused by the node',
      { replies: ['Connecting\nReceptor Control, node exec1\n', 'ERROR: could not verify signature\n'] },
      'could not verify signature',
    ],
    [
      'cannot be signed for',
      { key: 'none', replies: ['Connecting\nReceptor Control, node exec1\n'] },
      'none',
    ],
  ])('that %s is no answer, but a loss that says why', async (_, special, why) => {
    const { outcome } = await read(special);
    expect(outcome).toEqual({ lost: expect.stringContaining(why) as string });
  });
});
