import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { render } from '../../../../generators/render.ts';
import { kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { templates } from '../../../support/definitions/templates.ts';

const given = kubeadmCluster({ offline: { artifacts: '/srv/artifacts', sha256: 'ab'.repeat(32) } });
const scripts = render(given, templates).filter(({ path }) => path.endsWith('.py'));

test.each(scripts.map(({ path, text }) => [path, text] as const))(
  '%s is Python that 3.6 can read',
  (_, text) => {
    const program = 'import ast, sys; ast.parse(sys.stdin.read(), feature_version=(3, 6))';
    const { stderr } = spawnSync('python3', ['-c', program], { input: text, encoding: 'utf8' });
    expect(stderr).toBe('');
  },
);
