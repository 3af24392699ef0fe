import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Who may come in: the bearer of the token once, then the bearer of the cookie. */
export class Door {
  host = '';
  readonly #isSecure: boolean;
  readonly token = randomBytes(24).toString('base64url');
  readonly #cookie = randomBytes(24).toString('base64url');
  #isUsed = false;

  constructor(isSecure: boolean) {
    this.#isSecure = isSecure;
  }

  /** True once, for the token. */
  opens(path: string): boolean {
    if (this.#isUsed || !isSame(path, `/${this.token}`)) return false;
    this.#isUsed = true;
    return true;
  }

  cookie(): string {
    const name = `playsmith-${this.#port()}`;
    return `${name}=${this.#cookie}; HttpOnly; SameSite=Strict; Path=/live${this.#isSecure ? '; Secure' : ''}`;
  }

  knows({ headers }: IncomingMessage): boolean {
    const own = `playsmith-${this.#port()}=`;
    const cookies = (headers.cookie ?? '').split(/; */);
    const given = cookies.find((cookie) => cookie.startsWith(own));
    return given !== undefined && isSame(given.slice(own.length), this.#cookie);
  }

  #port(): string {
    return this.host.slice(this.host.lastIndexOf(':') + 1);
  }
}

/** Of digests, which are of one length whatever bytes a stranger sends. */
const isSame = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
