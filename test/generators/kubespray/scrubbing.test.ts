import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { render } from '../../../generators/render.ts';
import { kubesprayExample } from '../../support/definitions/kubespray.ts';
import { templates } from '../../support/definitions/templates.ts';

const rendered = new Map(render(kubesprayExample, templates).map(({ path, text }) => [path, text]));

test.each(['forms.py', 'dumps.py', 'scrubbing.py', 'checkout.py'])(
  'the bundle holds the very %s that is used on the Ansible server',
  (name) => {
    const own = readFileSync(`agent/playsmith/${name}`, 'utf8');
    const text = rendered.get(`files/kubespray/playsmith/${name}`) ?? '';
    expect(text.replace(/^(?:#.*\n)+\n/, '')).toBe(own);
  },
);
