/** The name of an image, in full. */
export interface ImageReference {
  /** As it stands in the name, like `docker.io`. */
  readonly registry: string;
  /** Like `library/busybox`. */
  readonly repository: string;
  /** Empty when only a digest is given. */
  readonly tag: string;
  /** `sha256:…`, or empty. */
  readonly digest: string;
}

/** What containerd makes of a name: docker.io, library and latest filled in. Undefined when it is no name of an image. */
export function imageReference(text: string): ImageReference | undefined {
  const [, name = '', tag = '', digest = ''] =
    /^([^\s@]+?)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(text) ?? [];
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  const hasRegistry = /[.:]/.test(first) || first === 'localhost';
  const registry = hasRegistry ? first : 'docker.io';
  const path = hasRegistry ? name.slice(slash + 1) : name;
  const repository = registry === 'docker.io' && !path.includes('/') ? `library/${path}` : path;
  if (!/^[a-z0-9]+(?:[._-]+[a-z0-9]+|\/[a-z0-9]+)*$/.test(repository)) return undefined;
  return { registry, repository, tag: tag === '' && digest === '' ? 'latest' : tag, digest };
}

/** The names that containerd looks it up by: with its tag, and with its digest where one is asked for. */
export const imageNames = ({ registry, repository, tag, digest }: ImageReference): readonly string[] => [
  ...(tag === '' ? [] : [`${registry}/${repository}:${tag}`]),
  ...(digest === '' ? [] : [`${registry}/${repository}@${digest}`]),
];
