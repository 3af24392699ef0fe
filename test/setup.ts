import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

/** What the tests use of Debian, by a file that says whether it is there; the lab looks after its own. */
const needs = {
  '/usr/bin/ansible-playbook': 'ansible-core',
  '/usr/bin/ansible-runner': 'python3-ansible-runner',
  '/usr/share/doc/python3-venv': 'python3-venv',
  '/usr/bin/ansible-lint': 'ansible-lint',
  '/usr/lib/python3/dist-packages/yaml': 'python3-yaml',
  '/usr/sbin/sshd': 'openssh-server',
  '/usr/bin/ssh': 'openssh-client',
  '/usr/bin/sshpass': 'sshpass',
  '/usr/bin/git': 'git',
  '/usr/bin/age': 'age',
  '/usr/bin/groff': 'groff-base',
  '/usr/bin/chromium': 'chromium',
  '/usr/bin/skopeo': 'skopeo',
  '/usr/bin/docker-registry': 'docker-registry',
  '/usr/bin/prometheus-node-exporter': 'prometheus-node-exporter',
  '/usr/sbin/sendmail': 'msmtp-mta',
  '/usr/bin/aiosmtpd': 'python3-aiosmtpd',
} as const;

/** Package → service that it would start at boot. */
const services = {
  'openssh-server': 'ssh',
  'docker-registry': 'docker-registry',
  'prometheus-node-exporter': 'prometheus-node-exporter',
};

/** Before all tests: says what is missing, and installs it where root is there to do so. */
export function setup(): void {
  const missing = Object.entries(needs).filter(([file]) => !existsSync(file));
  if (missing.length === 0) return;
  const packages = missing.map(([, name]) => name);
  const list = packages.join(' ');
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(
      `The tests need these Debian packages: ${list}. Install them, or run the tests as root on Debian.`,
    );
  process.stdout.write(`The tests install these Debian packages now: ${list}\n`);
  withoutStartingServices(() => {
    apt('update');
    apt('install', '--yes', '--no-install-recommends', ...packages);
  });
  // Of these only the programs are wanted: a machine must not get an open port from its tests.
  for (const [name, service] of Object.entries(services))
    if (missing.some(([, each]) => each === name) && existsSync('/run/systemd/system'))
      execFileSync('systemctl', ['disable', '--now', service], { stdio: 'inherit' });
}

const apt = (...words: readonly string[]): void => {
  execFileSync('apt-get', ['--quiet=2', ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
};

/** Debian asks this program before it starts a service; one that is there already is left to decide. */
function withoutStartingServices(work: () => void): void {
  const policy = '/usr/sbin/policy-rc.d';
  const isOurs = !existsSync(policy);
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    work();
  } finally {
    if (isOurs) rmSync(policy);
  }
}
