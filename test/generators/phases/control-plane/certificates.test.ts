import { expect, test } from 'vitest';
import { certificates } from '../../../../generators/phases/control-plane/certificates.ts';
import { cluster, kubeadmCluster } from '../../../support/clusters.ts';
import { breachesOf, scriptOf, textOf } from '../../../support/phase-files.ts';

const day = 86_400_000;

/** As kubeadm prints it, for a certificate that expires in so many days. */
function expiring(days: number): string {
  const [, month = '', date = '', year = '', time = ''] =
    /^\w+, (\d+) (\w+) (\d+) (\d+:\d+)/
      .exec(new Date(Date.now() + days * day + day / 2).toUTCString())
      ?.map((part, index, all) => (index === 1 ? (all[2] ?? '') : index === 2 ? (all[1] ?? '') : part)) ?? [];
  return `${month} ${date}, ${year} ${time} UTC`;
}

const report = (days: number, external = 'no'): string => `cat <<'END'
CERTIFICATE                EXPIRES                  RESIDUAL TIME   CERTIFICATE AUTHORITY   EXTERNALLY MANAGED
admin.conf                 ${expiring(days)}   ${days}d                                    ${external}
apiserver-etcd-client      ${expiring(400)}   400d            etcd-ca                 no
!MISSING! super-admin.conf

CERTIFICATE AUTHORITY   EXPIRES                  RESIDUAL TIME   EXTERNALLY MANAGED
ca                      ${expiring(5)}   5d              no
END`;

const expiry = (kubeadm: string): readonly string[] =>
  scriptOf(textOf(certificates, kubeadmCluster(), 'files/certificates/expiry.sh'), {
    kubeadm,
    ctr: 'exit 0',
  })('30').lines;

test('a certificate is due when fewer days are left than asked for; authorities never are', () => {
  expect(expiry(report(10)).map((line) => line.replace(/,.*/, ''))).toEqual([
    'due admin.conf: 10 days',
    'good apiserver-etcd-client: 400 days',
    'authority ca: 5 days',
  ]);
  expect(expiry(report(30))[0]).toMatch(/^good admin\.conf: 30 days/);
});

test('what has expired counts below zero, and what somebody else signs is never due', () => {
  expect(expiry(report(-3))[0]).toMatch(/^due admin\.conf: -2 days/);
  expect(expiry(report(1, 'yes'))[0]).toMatch(/^external admin\.conf: 1 days/);
});

test('it keeps the house rules, and is there only where Playsmith installs Kubernetes', () => {
  expect(breachesOf([certificates], kubeadmCluster())).toEqual([]);
  expect([cluster(), kubeadmCluster()].map(certificates.applies)).toEqual([false, true]);
});
