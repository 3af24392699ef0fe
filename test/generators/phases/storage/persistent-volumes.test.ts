import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { persistentVolumes } from '../../../../generators/phases/storage/persistent-volumes.ts';
import { storageUse } from '../../../../generators/phases/storage/storage-use.ts';
import { cluster } from '../../../support/definitions/clusters.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';
import { runModule } from '../../../support/module.ts';
import { storageServer, stored } from '../../../support/definitions/storage.ts';

const given = stored();

/** Answers `get` with what there is, and `apply` with what is asked for as an API server would fill it in. */
const kubectl = `#!/usr/bin/env python3
import json, os, sys
here = os.path.dirname(os.path.abspath(__file__))
there = json.load(open(here + "/there.json"))
with open(here + "/asked", "a") as file:
    print(" ".join(sys.argv[1:]), file=file)
if "get" in sys.argv:
    print(json.dumps({"kind": "List", "items": there}))
    sys.exit()
items = []
for item in json.load(sys.stdin)["items"]:
    old = [each for each in there if each["metadata"]["name"] == item["metadata"]["name"]]
    item["metadata"] = dict(item["metadata"], uid="1", resourceVersion="7")
    items.append(dict(item, status=old[0]["status"] if old else {"phase": "Available"}))
if "--dry-run=server" not in sys.argv:
    json.dump(items, open(here + "/there.json", "w"))
print(json.dumps({"kind": "List", "items": items}))
`;

const [volume] = given.storage.persistentVolumes.map(({ manifest }) => manifest);

interface Applied {
  readonly said: string;
  readonly changed: readonly string[];
  readonly hints: readonly string[];
  readonly asked: string;
}

/** Runs the module that applies, beside a stand-in for kubectl and what that says is there. */
function applied(mode: 'look' | 'act', there: readonly object[], { admin = true } = {}): Applied {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-volumes-'));
  writeFileSync(join(folder, 'kubectl'), kubectl, { mode: 0o755 });
  writeFileSync(join(folder, 'there.json'), JSON.stringify(there));
  writeFileSync(join(folder, 'asked'), '');
  if (admin) writeFileSync(join(folder, 'admin.conf'), '');
  const { result } = runModule(
    'persistent_volumes',
    { volumes: [volume] },
    {
      isCheck: mode === 'look',
      programs: { kubectl: `exec ${join(folder, 'kubectl')} "$@"` },
      replaced: { '"/etc/kubernetes/admin.conf"': JSON.stringify(join(folder, 'admin.conf')) },
    },
  );
  const { done = [], hints = [], msg = '' } = result;
  return {
    changed: done.map((line) => line.replace('applied the PersistentVolume ', '')),
    hints: hints as readonly string[],
    said: msg,
    asked: readFileSync(join(folder, 'asked'), 'utf8'),
  };
}

const existing = (overrides: object = {}, phase = 'Available', managers: readonly object[] = []): object => ({
  ...volume,
  metadata: { name: 'pv1', uid: '1', resourceVersion: '3', managedFields: managers },
  spec: { ...(volume?.['spec'] as object), ...overrides },
  status: { phase },
});

describe('the phase persistent-volumes', () => {
  test('is there where Kubernetes is told of exports', () => {
    expect(persistentVolumes.applies(cluster())).toBe(false);
    expect(persistentVolumes.applies(given)).toBe(true);
  });

  test('shows what is applied as documents of data', () => {
    const [first] = loadAll(textOf(persistentVolumes, given, 'files/persistent-volumes/volumes.yml')) as [
      object[],
    ];
    expect(first).toEqual([volume]);
  });

  test('applies on the side of the server, as one manager, and never by force', () => {
    const { changed, asked } = applied('act', []);
    expect(changed).toEqual(['pv1']);
    expect(asked).toContain('apply --server-side --field-manager=playsmith');
    expect(asked).not.toContain('force');
  });

  test('changes nothing when it is as it should be, and nothing at all when it only looks', () => {
    expect(applied('act', [existing()]).changed).toEqual([]);
    const looked = applied('look', []);
    expect(looked.changed).toEqual(['pv1']);
    expect(looked.asked).toContain('--dry-run=server');
  });

  test('never replaces a volume that leads elsewhere, and says what to do', () => {
    const nfs = { server: '10.0.0.89', path: '/volume/pv1' };
    const bound = existing({ nfs, claimRef: { namespace: 'tenant', name: 'data' } }, 'Bound');
    const { said, asked } = applied('act', [bound]);
    expect(said).toContain('pv1 leads to 10.0.0.89:/volume/pv1 and shall lead to 10.0.0.90:/volume/pv1');
    expect(said).toContain(
      'delete the pods and the claim tenant/data, then kubectl delete persistentvolume pv1',
    );
    expect(asked).not.toContain('apply');
  });

  test('says how a released volume is freed', () => {
    const claimRef = { namespace: 'tenant', name: 'data' };
    expect(applied('act', [existing({ claimRef }, 'Released')]).said).toContain('was released by the claim');
  });

  test('tells of volumes that it made and that are defined no more, and deletes none', () => {
    const old = {
      ...existing({}, 'Available', [{ manager: 'playsmith' }]),
      metadata: { name: 'old', managedFields: [{ manager: 'playsmith' }] },
    };
    const { hints, asked } = applied('act', [existing(), old]);
    expect(hints).toEqual([expect.stringContaining('kubectl delete persistentvolume old')]);
    expect(asked).not.toContain('delete');
  });

  test('refuses with the reason where there is nobody to tell, and is silent when it only looks', () => {
    expect(applied('act', [], { admin: false }).said).toContain('PersistentVolumes are applied with it');
    expect(applied('look', [], { admin: false })).toMatchObject({ said: '', changed: [] });
  });

  test('keeps the house rules', () => {
    expect(breachesOf([persistentVolumes], given)).toEqual([]);
  });
});

describe('the phase storage-use', () => {
  test('asks about the volumes of the definition and all that lead to its servers', () => {
    const text = textOf(storageUse, given, 'storage-use.yml');
    expect(text).toContain('names:\n          - "pv1"\n');
    expect(text).toContain('servers:\n          - "10.0.0.90"\n');
  });

  test.each([given, { ...stored([storageServer()]), storage: { ...given.storage, persistentVolumes: [] } }])(
    'keeps the house rules',
    (each) => {
      expect(breachesOf([storageUse], each)).toEqual([]);
    },
  );
});
