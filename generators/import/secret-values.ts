/** What a text shows by itself, whatever its name: a key, a token, a hash, a login, or too random to be anything else. */
export const isLikeSecret = (text: string): boolean =>
  shapes.some((shape) => shape.test(text)) || (!isHarmless(text) && text.split(separators).some(isRandom));

const shapes = [
  /-----BEGIN [A-Z ]*(?:PRIVATE KEY|PGP MESSAGE)/,
  /\beyJ[\w-]{5,}\.[\w-]{5,}/,
  // GitHub, GitLab, Slack, AWS, Google, OpenAI, Stripe, age, bootstrap tokens of kubeadm.
  /\b(?:gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{12,})/,
  /\b(?:AIza[\w-]{30,}|sk[-_](?:live_|test_)?\w{16,}|AGE-SECRET-KEY-\w+|[a-z0-9]{6}\.[a-z0-9]{16})\b/,
  /\$(?:1|2[abxy]?|5|6|7|y|argon2\w*)\$|^\$ANSIBLE_VAULT|^\{SHA\}|^AQ[\w+/]{36}==$/,
  /(?:pass|pasw|secret|token|credential|pwd|psk|api_?key)\w*\s*[=:]\s*\S/i,
  // Of programs that stand in a ProxyCommand.
  /\bsshpass\s+(?:-[vP]\S*\s+)*-p\s*\S|--proxy-(?:auth|user)[ =]\S/i,
  /(?:^|\s)(?:--?(?:password|passwd|token|secret|api-?key|psk)[ =]|-u\s+\S+:|(?:Bearer|Basic)\s+)\S/i,
];

/** Versions, addresses, paths, names of images, digests that say that they are digests. */
export const isHarmless = (text: string): boolean => harmless.some((shape) => shape.test(text));

const harmless = [
  /^(?:true|false|yes|no|on|off|none|null|present|absent|enabled|disabled)$/i,
  /^v?\d+(?:\.\d+){1,3}(?:[-+][\w.]{1,20})?$/,
  /^(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?(?:\/\d{1,2})?(?:-(?:\d{1,3}\.){3}\d{1,3})?$/,
  // A peer of kube-vip: its address, its AS, no password, whether it is several hops away.
  /^(?:\d{1,3}\.){3}\d{1,3}:\d{1,10}::(?:true|false)$/i,
  /^[\da-f:]*::?[\da-f:]*(?:\/\d{1,3})?$/i,
  /^-?\d+(?:\.\d+)?\s?(?:[kmgtp]i?b?|ms|s|m|h|d|%)?$/i,
  /^sha(?:256|512):[\da-f]{64,128}$/i,
  // Names of cipher suites of TLS.
  /^TLS(?:_[A-Z\d]{1,8}){2,9}(?:,\s?TLS(?:_[A-Z\d]{1,8}){2,9})*$/,
];

/** A path from the root or from here; its parts are looked at by `isLikeSecret`. */
export const isPath = (text: string): boolean => /^(?:~|\.{1,2})?(?:\/[\w.@+-]+)+\/?$/.test(text);

/** A URL that holds neither a login nor anything that looks like a key. */
export const isPlainUrl = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\/[\w.[\]:-]+(?:\/[\w./~%+-]*)?$/i.test(text) && !isLikeSecret(text);

const separators = /[\s/,:;@"'()[\]{}<>?&=#|.]+/;

/** Twenty characters or more of three kinds, or hexadecimal, that do not read like words. */
function isRandom(word: string): boolean {
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(word)) return false;
  if (/^[\da-f]{32,}$/i.test(word)) return true;
  if (word.length < 20) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(word)).length;
  return kinds === 3 ? entropy(word) > 3.5 : kinds === 2 && entropy(word) > 4 && /\d/.test(word);
}

/** In bits a character. */
function entropy(word: string): number {
  const counts = new Map<string, number>();
  for (const sign of word) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return [...counts.values()].reduce(
    (sum, count) => sum - (count / word.length) * Math.log2(count / word.length),
    0,
  );
}
