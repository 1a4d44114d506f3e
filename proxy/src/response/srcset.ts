/** Changes each URL of a `srcset`: candidates with commas between, each a URL and perhaps a size (HTML, "srcset attributes"). */
export function rewriteSrcset(value: string, change: (url: string) => string): string {
  let out = '';
  let at = 0;
  while (at < value.length) {
    const begin = skip(value, at, (character) => isSpace(character) || character === ',');
    out += value.slice(at, begin);
    let end = skip(value, begin, (character) => !isSpace(character));
    let commas = 0;
    while (end > begin && value.charAt(end - 1) === ',') {
      end -= 1;
      commas += 1;
    }
    if (end > begin) out += change(value.slice(begin, end));
    at = end + commas;
    out += value.slice(end, at);
    if (commas > 0) continue;
    const next = skip(value, at, (character) => character !== ',');
    out += value.slice(at, next);
    at = next;
  }
  return out;
}

function skip(text: string, from: number, belongs: (character: string) => boolean): number {
  let at = from;
  while (at < text.length && belongs(text.charAt(at))) at += 1;
  return at;
}

function isSpace(character: string): boolean {
  return (
    character === ' ' || character === '\n' || character === '\t' || character === '\r' || character === '\f'
  );
}
