import { describe, expect, test } from 'vitest';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drillCertificates } from '../../../../generators/phases/drill/drill-certificates.ts';
import { drillEtcdRestore } from '../../../../generators/phases/drill/drill-etcd-restore.ts';
import { cluster, drills, kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { breachesOf, scriptOf, textOf } from '../../../support/definitions/phase-files.ts';

test('drills that disturb nothing keep the house rules, and are there with every kubeadm that asks for drills', () => {
  expect(breachesOf([drillEtcdRestore, drillCertificates], kubeadmCluster({ drills }))).toEqual([]);
  for (const { applies, parameters } of [drillEtcdRestore, drillCertificates]) {
    expect([{ ...cluster(), drills }, kubeadmCluster(), kubeadmCluster({ drills })].map(applies)).toEqual([
      false,
      false,
      true,
    ]);
    expect(parameters).toEqual([]);
  }
});

type Run = ReturnType<ReturnType<typeof scriptOf>>;

interface Control {
  /** What a fault of the host is. */
  readonly fault?: 'not renewed' | 'written for real' | 'API refuses' | 'etcd refuses' | 'renewal fails';
}

const apiServer = `spec:\n  containers:\n  - command:\n    - --advertise-address=10.0.0.11\n    - --secure-port=6443\n`;

/** The trial on a host whose kubeadm, mounts and servers are played by stubs. */
function trial({ fault }: Control = {}): { readonly ran: Run; readonly left: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-trial-'));
  const etc = join(folder, 'etc');
  mkdirSync(join(etc, 'manifests'), { recursive: true });
  writeFileSync(join(etc, 'manifests/kube-apiserver.yaml'), apiServer);
  writeFileSync(join(etc, 'days'), '40');
  const text = textOf(drillCertificates, kubeadmCluster(), 'files/drill-certificates/rehearse.sh')
    .replaceAll('/etc/kubernetes', etc)
    .replace('copy=/run/playsmith-drill-certificates', `copy=${folder}/copy`);
  const days = fault === 'not renewed' ? 20 : 365;
  const ran = scriptOf(text, {
    kubeadm: `if [[ $2 == renew ]]; then
  [[ '${fault}' != 'renewal fails' ]] || { echo 'no key of the authority'; exit 1; }
  echo ${days} > ${etc}/days
  ${fault === 'written for real' ? `echo ${days} > ${etc}.real/days` : ':'}
  exit
fi
# Never on the full minute, which is all that is printed: a day more would be left.
ends() { LC_ALL=C date --utc --date "+$1 days -1 minute" '+%b %d, %Y %H:%M UTC'; }
echo 'CERTIFICATE  EXPIRES  RESIDUAL TIME  CERTIFICATE AUTHORITY  EXTERNALLY MANAGED'
echo "admin.conf  $(ends "$(< ${etc}/days)")  40d  no"
echo "apiserver  $(ends $(($(< ${etc}/days) + 2)))  42d  ca  no"
echo "external  $(ends 1)  1d  ca  yes"
echo
echo 'CERTIFICATE AUTHORITY  EXPIRES  RESIDUAL TIME  EXTERNALLY MANAGED'
echo "ca  $(ends 5)  5d  no"`,
    mount: `mv "$3" "$3.real"; ln -s "$2" "$3"`,
    unshare: `shift 3; "$@"; status=$?; [[ ! -e ${etc}.real ]] || { rm ${etc}; mv ${etc}.real ${etc}; }; exit $status`,
    systemctl: '[[ $1 != is-active ]]',
    'systemd-run': 'exit 0',
    kubectl: `[[ '${fault}' != 'API refuses' ]]`,
    python3: `[[ '${fault}' != 'etcd refuses' ]]`,
  })();
  return { ran, left: existsSync(join(folder, 'copy')) ? readdirSync(join(folder, 'copy')) : [] };
}

describe('certificates on trial', () => {
  test('are renewed in a copy, asked with, and removed', () => {
    const { ran, left } = trial();
    expect(ran.lines).toHaveLength(1);
    const { until, ...told } = JSON.parse(ran.lines[0] ?? '') as Readonly<Record<string, string>>;
    expect(told).toEqual({ first: 'admin.conf', days: 39, renewed: 2 });
    expect(Date.parse(until ?? '')).toBeGreaterThan(Date.now() + 363 * 86_400_000);
    expect(left).toEqual([]);
  });

  test.each([
    ['not renewed', 'only 0 certificates hold longer after their renewal'],
    ['written for real', 'the real files of the control plane are other ones than before'],
    ['API refuses', 'the API server does not take the renewed certificate of admin.conf'],
    ['etcd refuses', 'etcd does not take the renewed certificate of the API server'],
    ['renewal fails', 'no key of the authority'],
  ] as const)('%s: it is said, and nothing stays', (fault, words) => {
    const { ran, left } = trial({ fault });
    expect(ran).toEqual({ status: 1, lines: [words] });
    expect(left).toEqual([]);
  });
});

interface Store {
  /** Below zero: it does not answer. */
  readonly hash: number;
  readonly compacted?: number;
  readonly keys: number;
}

/** The rehearsal with a live and a restored etcd that are played by stubs, and what is left of it. */
function rehearsal(live: Store, restored: Store, free = 4000): { readonly ran: Run; readonly left: boolean } {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-restore-'));
  mkdirSync(join(folder, 'live/member/snap'), { recursive: true });
  writeFileSync(join(folder, 'live/member/snap/db'), 'x'.repeat(1000));
  const text = textOf(drillEtcdRestore, kubeadmCluster(), 'files/drill-etcd-restore/rehearse.sh')
    .replaceAll('/var/lib/playsmith-drill-etcd', join(folder, 'scratch'))
    .replaceAll('/var/lib/etcd', join(folder, 'live'))
    .replaceAll('/run/playsmith-drill-etcd.sh', join(folder, 'program.sh'));
  const said = (store: Store): string => `case "$*" in
    *hashkv*) ${store.hash < 0 ? 'exit 1' : `echo '[{"HashKV": {"hash": ${store.hash}, "compact_revision": ${store.compacted ?? 7}}}]'`} ;;
    *--keys-only*) echo '{"count": ${store.keys}}' ;;
  esac`;
  const ran = scriptOf(text, {
    ctr: `case "$*" in
  *'etcdutl version'*) exit 1 ;;
  *'snapshot save'*) echo kept > ${folder}/scratch/snapshot.db ;;
  *'snapshot status'*) echo '{"hash": 1, "revision": 42, "totalKey": 9, "totalSize": 1000}' ;;
  *'snapshot restore'*) mkdir ${folder}/scratch/data ;;
  *'--endpoints https://127.0.0.1:2379 '*) ${said(live)} ;;
  *'--endpoints https://127.0.0.1:23790 '*) ${said(restored)} ;;
esac`,
    df: `printf 'Avail\\n${free}\\n'`,
    systemctl: '[[ $1 != is-active ]]',
    'systemd-run': 'exit 0',
    sed: `[[ "$*" == *manifests* ]] && echo registry/etcd:3 || exec /usr/bin/sed "$@"`,
  })();
  return { ran, left: existsSync(join(folder, 'scratch')) || existsSync(join(folder, 'program.sh')) };
}

describe('a snapshot that is restored beside the live etcd', () => {
  test('is compared with it as of its revision, and removed', () => {
    const { ran, left } = rehearsal({ hash: 5, keys: 9 }, { hash: 5, keys: 9 });
    expect(JSON.parse(ran.lines[0] ?? '')).toMatchObject({ keys: 9, revision: 42, bytes: 1000 });
    expect([ran.status, left]).toEqual([0, false]);
  });

  test.each([[{ hash: 6, keys: 9 }], [{ hash: 5, keys: 8 }]])(
    'that holds something else is told, and removed',
    (restored) => {
      const { ran, left } = rehearsal({ hash: 5, keys: 9 }, restored);
      expect(ran.status).toBe(1);
      expect(ran.lines[0]).toMatch(
        /^what was restored is not what lives, as of revision 42: .* in place of /,
      );
      expect(left).toBe(false);
    },
  );

  test.each([
    [{ hash: -1, keys: 9 }, ''],
    [{ hash: 5, keys: 0 }, 'says that it has no keys'],
    [{ hash: 6, keys: 9, compacted: 8 }, 'etcd was compacted while the snapshot was taken: begin again'],
  ])('that cannot be compared is no success', (restored, words) => {
    const { ran, left } = rehearsal({ hash: 5, keys: 9 }, restored);
    expect([ran.status, left]).toEqual([1, false]);
    expect(ran.lines.join(' ')).toContain(words);
  });

  test('is not taken where there is no room for it', () => {
    const { ran } = rehearsal({ hash: 5, keys: 9 }, { hash: 5, keys: 9 }, 2999);
    expect(ran).toEqual({
      status: 1,
      lines: [expect.stringMatching(/^below \/var\/lib are 2999 bytes free, 3000 are needed$/)],
    });
  });
});
