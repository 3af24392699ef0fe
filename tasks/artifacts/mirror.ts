/** Official addresses → where they are fetched from. */
export interface Mirror {
  readonly file: (address: string) => string;
  /** The API of a registry, and what repositories of it begin with there. */
  readonly registry: (name: string) => { readonly api: string; readonly prefix: string };
}

/** Whether a mirror can be asked there: of `localhost:5000` the scheme would be `localhost`. */
export const isMirrorUrl = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);

/**
 * Without a mirror everything comes from where it is published. A mirror has the host of the address as the first part of
 * the path: `https://dl.k8s.io/x` is at `<mirror>/dl.k8s.io/x`, the image `registry.k8s.io/pause` at
 * `<mirror's host>/registry.k8s.io/pause`.
 */
export function mirrorOf(url: string): Mirror {
  if (url === '')
    return {
      file: (address) => address,
      registry: (name) => ({
        api: `https://${name === 'docker.io' ? 'registry-1.docker.io' : name}`,
        prefix: '',
      }),
    };
  const base = url.replace(/\/+$/, '');
  const { origin, pathname } = new URL(`${base}/`);
  return {
    file: (address) => address.replace(/^https?:\//, base),
    registry: (name) => ({ api: origin, prefix: `${pathname.slice(1)}${name}/` }),
  };
}
