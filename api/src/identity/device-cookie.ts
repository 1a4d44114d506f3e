import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * A cookie that says which accounts a browser signed in to before (OWASP: "Slow Down Online Guessing Attacks
 * with Device Cookies"). The cookie opens nothing: it gives the browser a count of attempts of its own, which
 * strangers cannot use up.
 */
export type DeviceCookie = {
  /**
   * The name of this browser for the account; null if the browser has not signed in to the account before.
   */
  read(cookies: string | undefined, email: string): string | null;
  /**
   * The Set-Cookie line that makes this browser known to the account, beside the accounts that know it
   * already.
   */
  issue(cookies: string | undefined, email: string): string;
};

type Options = { secret: string; secure: boolean; clock: () => number };
type Entry = { account: string; device: string; text: string };

const keptSeconds = 180 * 24 * 60 * 60;
/** Keeps the cookie below 1 KiB, however many people sign in with this browser. */
const accountsInCookie = 5;

export function createDeviceCookie({ secret, secure, clock }: Options): DeviceCookie {
  const name = `${secure ? '__Secure-' : ''}homeport.known_browser`;
  const sign = (text: string) =>
    createHmac('sha256', secret).update(`homeport known browser\0${text}`).digest();
  const accountOf = (email: string) => hashOfAccount(secret, email).toString('base64url');
  const now = () => Math.floor(clock() / 1000);

  function entriesIn(cookies: string | undefined): Entry[] {
    const value = readCookie(cookies, name);
    return value === undefined ? [] : value.split('~', accountsInCookie).flatMap(toEntry);
  }

  /**
   * Empty for an entry that this console did not sign, and for one that is older than a browser keeps the
   * cookie.
   */
  function toEntry(text: string): Entry[] {
    const [account, device, seconds, signature, ...rest] = text.split('.');
    if (!account || !device || !seconds || !signature || rest.length > 0) return [];
    const expected = sign(`${account}.${device}.${seconds}`);
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return [];
    return now() - Number(seconds) < keptSeconds ? [{ account, device, text }] : [];
  }

  return {
    read(cookies, email) {
      const account = accountOf(email);
      return entriesIn(cookies).find((entry) => entry.account === account)?.device ?? null;
    },
    issue(cookies, email) {
      const account = accountOf(email);
      const entries = entriesIn(cookies);
      const known = entries.find((entry) => entry.account === account);
      // A known browser keeps its name, so that signing in again gives it no second count.
      const unsigned = `${account}.${known?.device ?? randomBytes(16).toString('base64url')}.${now()}`;
      const others = entries.filter((entry) => entry !== known).map(({ text }) => text);
      const newest = `${unsigned}.${sign(unsigned).toString('base64url')}`;
      const value = [newest, ...others].slice(0, accountsInCookie).join('~');
      return `${name}=${value}; Max-Age=${keptSeconds}; Path=/api/auth; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
    },
  };
}

/** Names an account by its e-mail address. Nobody can compute the name without the secret. */
export function hashOfAccount(secret: string, email: string): Buffer {
  return createHmac('sha256', secret).update(`homeport account\0${email.toLowerCase()}`).digest();
}

function readCookie(cookies: string | undefined, name: string): string | undefined {
  for (const part of cookies?.split(';') ?? []) {
    const text = part.trimStart();
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1);
  }
  return undefined;
}
