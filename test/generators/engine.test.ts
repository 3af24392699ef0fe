import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../generators/digest.ts';
import { engine, precompile, useSpecifications, type View } from '../../generators/engine.ts';
import { packageRoot } from '../../library/package.ts';
import { templates } from '../support/definitions/templates.ts';

const filled = (text: string, view: View = {}): string => engine({ 'a.hbs': text }, 'sample')('a.hbs', view);

describe('the engine is strict', () => {
  test.each(['{{missing}}', '{{given.missing}}', '{{mispelt "x"}}', '{{> missing}}', '{{yaml missing}}'])(
    '%s is an error',
    (text) => {
      expect(() => filled(text, { given: {} })).toThrow();
    },
  );

  test('a template that is not there is named', () => {
    expect(() => engine({}, 'sample')('b.hbs', {})).toThrow('there is no template b.hbs');
  });

  test('nonEmpty wants a list, so that a gap cannot pass for an empty one', () => {
    expect(() => filled('{{#if (nonEmpty x)}}1{{/if}}', { x: undefined })).toThrow('a list is required');
    expect(filled('{{#if (nonEmpty x)}}1{{/if}}', { x: [] })).toBe('');
    expect(filled('{{#if (nonEmpty x)}}1{{/if}}', { x: [0] })).toBe('1');
  });
});

describe('a text that a build compiled', () => {
  const specification = (text: string): TemplateSpecification =>
    runInNewContext(`(${precompile(text)})`) as TemplateSpecification;

  test('is filled and refused as one that is compiled now', () => {
    const text = '{{> part}}{{yaml a}} {{b}}';
    const parts = { 'a.hbs': text, 'partials/part.hbs': '{{jinja "x"}} ' };
    const ready = useSpecifications({ ...parts }, specification);
    const view = { a: 'b', b: 1 };
    expect(engine(ready, 'sample')('a.hbs', view)).toBe(engine(parts, 'sample')('a.hbs', view));
    expect(() => engine(ready, 'sample')('a.hbs', { a: 'b' })).toThrow('"b" not defined');
  });

  test('is every template of the package', async () => {
    const { default: made } = (await import(join(packageRoot, 'dist/templates.cjs'))) as {
      default: Readonly<Record<string, unknown>>;
    };
    const texts = Object.entries(templates).filter(([path]) => path.endsWith('.hbs'));
    expect(texts.filter(([, text]) => made[sha256(text)] === undefined).map(([path]) => path)).toEqual([]);
  });
});

describe('values', () => {
  test('text is quoted for YAML 1.1, numbers and booleans are bare', () => {
    expect(filled('{{yaml a}} {{yaml b}} {{yaml c}}', { a: 'yes', b: 22, c: true })).toBe('"yes" 22 true');
    expect(filled('{{yaml a}}', { a: 'a\u0085b\u2028c\u007f' })).toBe('"a\\u0085b\\u2028c\\u007f"');
  });

  test.each([undefined, null, {}, []])('%o is no scalar', (a) => {
    expect(() => filled('{{yaml a}}', { a })).toThrow('is required');
  });

  test.each(['{{ x }}', '{% x %}', '{# x #}'])('%s would be evaluated by Ansible, so it is refused', (a) => {
    expect(() => filled('{{yaml a}}', { a })).toThrow('Ansible would evaluate');
  });

  test.each(['a b', 'a#b', 'a\nb', '{{a}}', '"a"', "a'", '', undefined])(
    '%o is no word of a configuration',
    (a) => {
      expect(() => filled('{{word a}}', { a })).toThrow('cannot stand in a configuration file');
    },
  );

  test('a secret is only ever named', () => {
    expect(filled('{{secret a}}', { a: 'vault_x' })).toBe('{{ vault_x }}');
    expect(() => filled('{{secret a}}', { a: 'lookup("pipe", "id")' })).toThrow('begins with vault_');
  });

  test('expressions are left for Ansible', () => {
    expect(filled(`{{jinja "a['b']"}} {{expression "c"}}`)).toBe(`"{{ a['b'] }}" {{ c }}`);
  });

  test('a line break of an expression is one, for Ansible doubles backslashes', () => {
    expect(filled(String.raw`{{jinja "a | join('\n')"}}`)).toBe(String.raw`"{{ a | join('\n') }}"`);
    expect(() => filled(String.raw`{{jinja "a | regex_replace('\s')"}}`)).toThrow(/double its backslashes/);
  });
});

test('an indented partial is indented as a whole', () => {
  const fill = engine({ 'a.hbs': 'x:\n  {{> part}}\n', 'partials/part.hbs': 'y: 1\nz: 2\n' }, 'sample');
  expect(fill('a.hbs', {})).toBe('x:\n  y: 1\n  z: 2\n');
});
