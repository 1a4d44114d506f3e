/**
 * Cuts streamed text into lines (`\n` or `\r\n`), each handed over once and whole. A line longer than `atMostCharacters`
 * is handed over in pieces, so that a program that never ends its line cannot fill the memory. Call `end` for the rest.
 */
export function splitLines(onLine: (line: string) => void, atMostCharacters = 65_536) {
  let rest = '';
  return {
    write(text: string): void {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
      while (rest.length > atMostCharacters) {
        onLine(rest.slice(0, atMostCharacters));
        rest = rest.slice(atMostCharacters);
      }
    },
    end(): void {
      if (rest !== '') onLine(rest);
      rest = '';
    },
  };
}
