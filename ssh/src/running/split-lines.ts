/**
 * Cuts streamed text into lines (`\n` or `\r\n`) and hands each over once. A program that never ends its line cannot fill the
 * memory: a line longer than `atMostCharacters` is handed over in pieces, or only its beginning. Each character is read once,
 * however small the parts are. Call `end` for the rest.
 */
export function splitLines(
  onLine: (line: string) => void,
  atMostCharacters = 65_536,
  longer: 'in_pieces' | 'cut' = 'in_pieces',
) {
  let rest = '';
  const add = (text: string) => {
    if (longer === 'cut') {
      rest += text.slice(0, atMostCharacters - rest.length);
      return;
    }
    rest += text;
    while (rest.length > atMostCharacters) {
      onLine(rest.slice(0, atMostCharacters));
      rest = rest.slice(atMostCharacters);
    }
  };
  return {
    write(text: string): void {
      const [first = '', ...others] = text.split('\n');
      add(first);
      for (const part of others) {
        onLine(rest.endsWith('\r') ? rest.slice(0, -1) : rest);
        rest = '';
        add(part);
      }
    },
    end(): void {
      if (rest !== '') onLine(rest);
      rest = '';
    },
  };
}
