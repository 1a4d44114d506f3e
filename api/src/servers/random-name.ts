import { randomInt } from 'node:crypto';

const letters = 'abcdefghijklmnopqrstuvwxyz';
const lettersAndDigits = `${letters}0123456789`;

/** `length` characters from a cryptographic source; 12 of them hold 62 bits. */
export function randomName(length: number): string {
  let name = letters.charAt(randomInt(letters.length));
  while (name.length < length) name += lettersAndDigits.charAt(randomInt(lettersAndDigits.length));
  return name;
}
