import { createHmac, timingSafeEqual } from 'node:crypto';
import { appCodeDigits } from '@homeport/contract/identity/facts';

const stepMs = 30_000;

/** The code of an authenticator app in one step of 30 seconds (RFC 6238, 4; RFC 4226, 5.3). */
function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** appCodeDigits).padStart(appCodeDigits, '0');
}

/**
 * The step in which the app shows this code, if it is the present one, the one before or the one after: clocks differ (RFC 6238, 5.2). Null
 * for any other code.
 */
export function stepOfAppCode(secret: string, code: string, now: number): number | null {
  const step = Math.floor(now / stepMs);
  const typed = Buffer.from(code);
  const found = [step + 1, step, step - 1].find((each) => {
    const right = Buffer.from(codeAt(secret, each));
    return right.length === typed.length && timingSafeEqual(right, typed);
  });
  return found ?? null;
}
