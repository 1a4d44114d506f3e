import { proxyLimits } from '@homeport/contract/proxies/facts';

/**
 * How many instructions a pattern compiles to at least, read from its text alone. Compiling writes a counted repetition out, so 10
 * letters can make a thousand instructions: this number is known before. A class of Unicode characters counts for its tables.
 */
export function estimateInstructions(pattern: string): number {
  // The costs of the groups that are open, and of the last atom of each, to which a repetition applies.
  const open: { sum: number; last: number }[] = [{ sum: 0, last: 0 }];
  let at = 0;
  const addAtom = (cost: number, length: number) => {
    const group = open.at(-1);
    if (group) {
      group.sum += cost;
      group.last = cost;
    }
    at += length;
  };
  while (at < pattern.length) {
    const rest = pattern.slice(at);
    const character = rest.charAt(0);
    if (character === '(') {
      open.push({ sum: 0, last: 0 });
      at += groupHead(rest);
    } else if (character === ')') {
      const closed = open.length > 1 ? open.pop() : undefined;
      addAtom(closed?.sum ?? 0, 1);
    } else if (character === '[') addAtom(...classCost(rest));
    else if (rest.startsWith('\\Q')) {
      const end = rest.indexOf('\\E', 2);
      addAtom((end < 0 ? rest.length : end) - 2, end < 0 ? rest.length : end + 2);
    } else if (character === '\\') addAtom(isUnicodeClass(rest) ? unicodeClass : 1, escapeLength(rest));
    else if (character === '{') repeat(rest);
    else if ('*+?|^$'.includes(character)) at += 1;
    else addAtom(1, 1);
  }
  return open.reduce((sum, group) => sum + group.sum, 0);

  function repeat(rest: string): void {
    const counted = /^\{([0-9]{1,4})(?:,([0-9]{0,4}))?\}/.exec(rest);
    if (!counted) {
      addAtom(1, 1);
      return;
    }
    const times = Math.max(Number(counted[1]), Number(counted[2] || 0));
    const group = open.at(-1);
    if (group) {
      group.sum += group.last * (times - 1);
      group.last *= times;
    }
    at += counted[0].length;
  }
}

/** A class such as \pL has hundreds of ranges, which take as long to compile as so many instructions. */
const unicodeClass = 16;
const isUnicodeClass = (text: string) => /^\\[pP]/.test(text);

/** A group may begin with flags or a name: `(?i:`, `(?P<name>`. */
function groupHead(text: string): number {
  if (!text.startsWith('(?')) return 1;
  const end = text.search(/[:>)]/);
  if (end < 0) return text.length;
  return text.charAt(end) === ')' ? end : end + 1;
}

function escapeLength(text: string): number {
  if (/^\\[pPx]\{/.test(text)) {
    const end = text.indexOf('}');
    return end < 0 ? text.length : end + 1;
  }
  return isUnicodeClass(text) ? 3 : 2;
}

/** The cost and the length of a class in brackets. A bracket at its very beginning is a character of it. */
function classCost(text: string): [cost: number, length: number] {
  let cost = 1;
  let at = text.startsWith('[^') ? 2 : 1;
  if (text.charAt(at) === ']') at += 1;
  while (at < text.length && text.charAt(at) !== ']') {
    const rest = text.slice(at, at + 3);
    if (rest.startsWith('[:')) at = Math.max(text.indexOf(':]', at) + 1, at + 1);
    else if (rest.startsWith('\\')) {
      if (isUnicodeClass(rest)) cost += unicodeClass;
      at += 1;
    }
    at += 1;
  }
  return [cost, Math.min(at + 1, text.length)];
}

/** The longest path that a pattern of so many instructions takes: the engine's work grows with both. */
export const longestPath = (instructions: number): number =>
  Math.min(proxyLimits.urlBytes, Math.floor(proxyLimits.patternSteps / Math.max(1, instructions)));
