import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { userCodeLength, userCodeLetters } from '@homeport/contract/device/facts';

export const makeDeviceCode = (): string => randomBytes(32).toString('base64url');

export const makeUserCode = (): string =>
  Array.from({ length: userCodeLength }, () => userCodeLetters[randomInt(userCodeLetters.length)]).join('');

/** The store keeps these in place of the codes. */
export const hashOfDevice = (code: string): Buffer => createHash('sha256').update(code).digest();

/** A typed code has 34 bits, so a plain hash of it would be tried out by whoever reads the store. */
export const hashOfUser = (secret: string, code: string): Buffer =>
  createHmac('sha256', secret).update(`homeport device\0${code}`).digest();
