import { parseAddress, parseBlock } from '../../../source/networks.ts';
import { portPattern, show } from '../judges.ts';
import type { ValueJudge } from '../key.ts';

/** A URL without credentials: a proxy's password would be readable in every file that names the proxy. */
export const proxyUrl: ValueJudge<string> = (value) => {
  if (value.includes('@'))
    return { wrong: 'a user or a password in this URL would be readable in every file', right: `${example}, and below \`proxy\` the \`credentials\`` };
  return isProxyUrl(value) ? undefined : { wrong: `${show(value)} is not the URL of a proxy`, right: example };
};

export const noProxyEntry: ValueJudge<string> = (value) =>
  parseAddress(value) !== undefined ||
  parseBlock(value) !== undefined ||
  /^\.?[A-Za-z0-9][\w-]*(?:\.\w[\w-]*)*$/.test(value)
    ? undefined
    : {
        wrong: `${show(value)} is not a host name, a domain, an address or a network`,
        right: '.example.org or 10.0.0.0/8',
      };

/** Only what needs no quoting in a shell, an INI file or an environment line. */
const isProxyUrl = (value: string): boolean =>
  urlPattern.test(value) && URL.canParse(value);

const urlPattern = new RegExp(
  String.raw`^https?://(?:[A-Za-z0-9][\w.-]*|\[[0-9a-fA-F:.]+\])(?::${portPattern})?/?$`,
);

const example = 'http://proxy.example.org:3128';
