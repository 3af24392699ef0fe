import Handlebars from 'handlebars';

/** Path below templates/ → text. Read from disk by tasks, so that generators stay pure. */
export type Templates = Readonly<Record<string, string>>;

/** Plain data for one template: every value is defined, getters and classes print nothing. */
export type View = Readonly<Record<string, unknown>>;

/** Fills `path` (below templates/); throws on anything missing, misspelt or unsafe, since that is a bug of ours. */
export type Fill = (path: string, view: View) => string;

/** The engine of one cluster: each template knows the cluster's name and its own, for the header. */
export function engine(templates: Templates, cluster: string, uid = ''): Fill {
  const compiled = cacheTemplates(templates);
  return (path, view) => {
    const template = compiled(path);
    return template({ ...view, provenance: { cluster, uid, template: `templates/${path}` } });
  };
}

/** What Handlebars made of a text before, if it did. */
export type Specifications = (text: string) => TemplateSpecification | undefined;

/** The JavaScript that Handlebars makes of a text, for a build to keep: making it takes two thirds of a rendering. */
export const precompile = (text: string): string =>
  // Its types say what becomes of the text, not that it is one.
  Handlebars.precompile(text, options) as unknown as string;

/** Lets the engine take what a build made of these texts; a text that it does not have is compiled. */
export function useSpecifications(templates: Templates, specifications: Specifications): Templates {
  caches.set(templates, compiledOf(templates, specifications));
  return templates;
}

type TemplateByPath = (path: string) => Handlebars.TemplateDelegate;

const caches = new WeakMap<Templates, TemplateByPath>();

function cacheTemplates(templates: Templates): TemplateByPath {
  const compiled = caches.get(templates) ?? compiledOf(templates, () => undefined);
  caches.set(templates, compiled);
  return compiled;
}

function compiledOf(templates: Templates, specifications: Specifications): TemplateByPath {
  const bars = Handlebars.create();
  const compile = (text: string): Handlebars.TemplateDelegate => {
    const specification = specifications(text);
    return specification === undefined ? bars.compile(text, options) : bars.template(specification);
  };
  for (const [name, helper] of Object.entries(helpers)) bars.registerHelper(name, helper);
  for (const [path, text] of Object.entries(templates)) {
    const partial = /^partials\/(?:\w+\/)?(\w+)\.hbs$/.exec(path)?.[1];
    // An indented call indents the partial; compiled here so that strictness holds inside as well.
    if (partial !== undefined) bars.registerPartial(partial, compile(text));
  }
  const done = new Map<string, Handlebars.TemplateDelegate>();
  return (path) => {
    const template = done.get(path) ?? compile(textOf(templates, path));
    done.set(path, template);
    return template;
  };
}

function textOf(templates: Templates, path: string): string {
  const text = templates[path];
  if (text === undefined) throw new Error(`there is no template ${path}`);
  return text;
}

/** Data → one scalar that YAML 1.1 and 1.2 read alike. Refuses what Ansible would evaluate. */
function yamlScalar(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number')
    throw new TypeError('yaml: a text, number or boolean is required');
  refuseJinja(value);
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Throws when Ansible would evaluate the text: quoting does not stop Jinja. */
export function refuseJinja(value: unknown): void {
  if (typeof value === 'string' && /\{[{%#]/.test(value))
    throw new TypeError('Ansible would evaluate this text');
}

/** A word of a configuration file: nothing that any of their syntaxes gives a meaning. */
function word(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^[\w.:/@%+,[\]-]+$/.test(text))
    throw new TypeError(`word: ${JSON.stringify(value)} cannot stand in a configuration file`);
  return text;
}

/** A secret's variable, left for Ansible to fill in. */
function secret(variable: unknown): string {
  if (typeof variable !== 'string' || !/^vault_[a-z0-9_]+$/.test(variable))
    throw new TypeError('secret: a variable that begins with vault_ is required');
  return `{{ ${variable} }}`;
}

/** A secret as a part of a URL: of what may stand there itself, only the slash is left by Jinja. */
const urlPart = (variable: unknown): string =>
  expression(`${secret(variable).slice(3, -3)} | urlencode | replace('/', '%2F')`);

/** A secret with its user as HTTP wants them; `containerd_users` of the play names the user of each secret. */
function login(variable: unknown): string {
  const password = secret(variable).slice(3, -3);
  return expression(`(containerd_users['${password}'] ~ ':' ~ ${password}) | b64encode`);
}

function nonEmpty(list: unknown): boolean {
  if (!Array.isArray(list)) throw new TypeError('nonEmpty: a list is required');
  return list.length > 0;
}

/**
 * Expressions come from templates, never from data. Ansible doubles every backslash inside of them, so that Jinja would
 * read `\\n` as two characters: a line break has to be one.
 */
function expression(text: string): string {
  const broken = text.replaceAll(String.raw`\n`, '\n');
  if (broken.includes('\\')) throw new TypeError('expression: Ansible would double its backslashes');
  return `{{ ${broken} }}`;
}
const jinja = (text: string): string => JSON.stringify(expression(text));

const helpers = { yaml: yamlScalar, jinja, expression, secret, urlPart, login, word, nonEmpty } as const;

const options = {
  strict: true,
  noEscape: true,
  knownHelpersOnly: true,
  knownHelpers: Object.fromEntries(Object.keys(helpers).map((name) => [name, true])),
} as const;
