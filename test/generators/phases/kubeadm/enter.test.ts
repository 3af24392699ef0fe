import { expect, test } from 'vitest';
import { engine } from '../../../../generators/engine.ts';
import { enterProgram } from '../../../../generators/phases/kubeadm/enter.ts';
import { exampleClusters } from '../../../support/definitions/examples.ts';
import { templates } from '../../../support/definitions/templates.ts';

const kubeadmClusters = exampleClusters.filter(({ kubernetes }) => kubernetes.installer === 'kubeadm');

test.each(kubeadmClusters)(
  'what systemd starts on the workers of $name has no variable in braces but where none is fine: it would fill it in',
  (cluster) => {
    const { text } = enterProgram(cluster, engine(templates, cluster.name));
    const lines = text.split('\n').filter((line) => line.includes('${'));
    expect(lines).toEqual(['  local server=${2-} before=${3-}']);
  },
);
