import { createHmac } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app shows now for the secret of an `otpauth:` address (RFC 6238, 4; RFC 4226, 5.3). */
export function totpOf(address: string, now = Date.now()): string {
  const secret = new URL(address).searchParams.get('secret') ?? '';
  const bits = [...secret].map((each) => alphabet.indexOf(each).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const mac = createHmac('sha1', key).update(step).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/** The code that the app shows next. The console takes it already, and each code once. */
export const nextTotpOf = (address: string): string => totpOf(address, Date.now() + 30_000);

/** A code that the app shows in none of the steps that the console takes, nor in the next ones. */
export function wrongTotpOf(address: string, now = Date.now()): string {
  const shown = [-2, -1, 0, 1, 2].map((steps) => totpOf(address, now + steps * 30_000));
  const wrong = ['000000', '000001', '000002', '000003', '000004', '000005'];
  return wrong.find((code) => !shown.includes(code)) ?? '';
}
