/**
 * Characters that a reader does not see. Others see what a person or a server wrote: in pages, mails and the
 * operator's terminal. A control character, also one of C1 (ECMA-48), moves the terminal's cursor or starts a
 * command of the terminal. An invisible or bidirectional character makes one text look like another (Unicode
 * Technical Report 36).
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * The invisible characters that scripts and emoji need: a joiner between emoji, or after a mark or an Arabic
 * letter, and one variation selector after a character. Each match ends before the character that follows the
 * joiner.
 */
const joined =
  /([\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}])[\u200c\u200d](?=[\p{Extended_Pictographic}\p{L}\p{M}])/gu;
const varied = /(\S)[\ufe00-\ufe0f]/gu;

/** Whether a text of one line holds something that its reader does not see. Line breaks count too. */
export function hidesSomething(text: string): boolean {
  return text.replace(joined, '$1').replace(varied, '$1').search(hidden) >= 0;
}

const kept: ReadonlySet<string> = new Set('\n\t\u200c\u200d');

/** The text for a terminal or a mail. Hidden characters show as U+FFFD; line breaks and tabs stay. */
export function withoutHidden(text: string): string {
  return text.replace(hidden, (character) =>
    kept.has(character) || /[\ufe00-\ufe0f]/.test(character) ? character : '\ufffd',
  );
}
