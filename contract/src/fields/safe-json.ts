/** Characters that JSON leaves unescaped and a terminal obeys or does not show. Line breaks between the parts of a document stay. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The same JSON with each hidden character spelled out, so that programs read the same values, and a terminal and a reader find nothing hidden. */
export function safeJson(text: string): string {
  return text.replace(hidden, (character) =>
    character === '\n' ? character : character.split('').map(spelled).join(''),
  );
}

/** Outside of strings JSON has tabs and carriage returns only as space. */
const spelled = (unit: string) =>
  unit === '\t' || unit === '\r' ? ' ' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
