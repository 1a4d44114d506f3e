import { consoleName, passwordCharacters } from '@homeport/contract/identity/facts';
import { takeData } from '../../data-packages/take-data.ts';
import { wrongField } from '../../http/problem.ts';

export type WeakPasswords = {
  /** @throws ProblemError beside the field for a password that a guesser tries first. */
  refuse(password: string, person: { name: string; email: string }, field: string): void;
};

const tooCommon = 'This password is among the most used ones, which are tried first. Choose another.';
const tooPersonal = `This password is little more than your name, your e-mail address or “${consoleName}”. Add to it, or choose another.`;

/**
 * Reads the list of common passwords. The list is unpacked at once, which takes some 30 ms: call this before the console answers
 * requests.
 */
export function readWeakPasswords(): WeakPasswords {
  const common = readCommonPasswords();
  return {
    refuse(password, person, field) {
      const typed = password.toLowerCase();
      if (common.has(typed)) throw wrongField(field, tooCommon);
      const rest = withoutWords(typed, wordsOf(person));
      if (rest === typed) return;
      if (rest.length < passwordCharacters.least || common.has(rest)) throw wrongField(field, tooPersonal);
    },
  };
}

type Common = Pick<typeof import('@zxcvbn-ts/language-common'), 'dictionary'>;

/** One text, which is searched from its beginning: passwords are set rarely, and a set of so many strings takes ten times its memory. */
function readCommonPasswords(): { has(typed: string): boolean } {
  const lines = takeData('@zxcvbn-ts/language-common', ({ dictionary }: Common) => {
    const common = dictionary['passwords-common'].filter((each) => each.length >= passwordCharacters.least);
    return Buffer.from(`\n${common.join('\n')}\n`);
  });
  return { has: (typed) => !typed.includes('\n') && lines.includes(`\n${typed}\n`) };
}

/** Shorter words stand in many passwords by chance. */
const leastOfWord = 3;

/** The longest first, so that an address goes as a whole. */
function wordsOf({ name, email }: { name: string; email: string }): string[] {
  const address = email.toLowerCase();
  const [mailbox = ''] = address.split('@');
  const words = [address, mailbox, name, ...name.split(/\s/), consoleName].map((each) => each.toLowerCase());
  return words.filter((each) => each.length >= leastOfWord).sort((a, b) => b.length - a.length);
}

const withoutWords = (typed: string, words: readonly string[]) =>
  words.reduce((rest, word) => rest.replaceAll(word, ''), typed);
