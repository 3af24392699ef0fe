import { expect, test } from 'vitest';
import { render } from '../../../../generators/render.ts';
import { kubesprayExample } from '../../../support/definitions/kubespray.ts';
import { templates } from '../../../support/definitions/templates.ts';

// sudo of the RHEL family looks in none of the folders below /usr/local.
test('kubectl is looked for where kubespray puts it, whatever the path of sudo is', () => {
  const calling = render(kubesprayExample, templates).filter(
    ({ path, text }) =>
      !path.startsWith('collections/') && /"kubectl", |^ *- kubectl$|\bkubectl (?:get|delete)/m.test(text),
  );
  expect(calling.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['files/verify/nodes.py', 'kubespray-node-preflight.yml']),
  );
  expect(calling.filter(({ text }) => !text.includes('/usr/local/bin')).map(({ path }) => path)).toEqual([]);
});
