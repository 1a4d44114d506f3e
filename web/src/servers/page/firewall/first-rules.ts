/** The rules that stand on the page before a person asks for all. */
const shownFirst = 3;

export interface FirstRules {
  /** The names of the columns, and the first rules. */
  text: string;
  /** How many rules there are. */
  rules: number;
}

/** The first rules of the list that `ufw status` prints. null: the text is short, or no such list, and is shown as it is. */
export function firstRules(status: string): FirstRules | null {
  const lines = status.split('\n').filter((line) => line.trim() !== '');
  const under = lines.findIndex((line) => line.startsWith('--'));
  if (under < 1) return null;
  const rules = lines.slice(under + 1);
  if (rules.length <= shownFirst) return null;
  return { text: lines.slice(under - 1, under + 1 + shownFirst).join('\n'), rules: rules.length };
}
