/** A stretch of a log line with one look. Text is never markup. */
export interface LogSpan {
  text: string;
  /** The names of its colour and weight, in this order: "yellow bold". Empty for plain text. */
  look: string;
}

interface Pen {
  colour: string;
  bold: boolean;
  dim: boolean;
  underline: boolean;
}

const rest: Pen = { colour: '', bold: false, dim: false, underline: false };
// SGR 30 to 37 and 90 to 97 share the eight log colours (ECMA-48, 8.3.117).
const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

// In this order: CSI … final byte; OSC … BEL or ST; other escapes of two characters; C0 controls except tab
// and carriage return.
const token =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern searches control characters
  /\u001b\[([0-9;?:<=>]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/g;

const lookOf = (pen: Pen) =>
  [pen.colour, pen.bold && 'bold', pen.dim && 'dim', pen.underline && 'underlined'].filter(Boolean).join(' ');

/**
 * Reads one line with its colour codes. As in a terminal, a carriage return overwrites the line from its
 * start.
 */
export function parseAnsi(line: string): LogSpan[] {
  if (!hasCodes(line)) return line === '' ? [] : [{ text: line, look: '' }];
  const cells: { char: string; look: string }[] = [];
  let at = 0;
  let pen = rest;
  const write = (text: string) => {
    for (const char of text) {
      if (char === '\r') at = 0;
      else cells[at++] = { char, look: lookOf(pen) };
    }
  };
  let from = 0;
  for (const found of line.matchAll(token)) {
    write(line.slice(from, found.index));
    from = found.index + found[0].length;
    if (found[2] === 'm') pen = sgr(pen, found[1] ?? '');
    // Erase in line: 0 removes everything behind the cursor, 2 removes the whole line.
    else if (found[2] === 'K') cells.length = found[1] === '2' ? 0 : Math.min(cells.length, at);
  }
  write(line.slice(from));
  return joinCells(cells);
}

/** The text without colour codes, for copying and searching. */
export function plainText(line: string): string {
  if (!hasCodes(line)) return line;
  return parseAnsi(line)
    .map((span) => span.text)
    .join('');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern searches control characters
const hasCodes = (line: string) => /[\u0000-\u0008\u000b-\u001f\u007f]/.test(line);

function joinCells(cells: readonly ({ char: string; look: string } | undefined)[]): LogSpan[] {
  const spans: LogSpan[] = [];
  for (let index = 0; index < cells.length; index += 1) {
    const { char, look } = cells[index] ?? { char: ' ', look: '' };
    const last = spans.at(-1);
    if (last && last.look === look) last.text += char;
    else spans.push({ text: char, look });
  }
  return spans;
}

function sgr(before: Pen, parameters: string): Pen {
  const codes = parameters.split(/[;:]/).map(Number);
  let pen = { ...before };
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 0) pen = { ...rest };
    else if (code === 1) pen.bold = true;
    else if (code === 2) pen.dim = true;
    else if (code === 4) pen.underline = true;
    else if (code === 22) pen = { ...pen, bold: false, dim: false };
    else if (code === 24) pen.underline = false;
    else if (code === 39) pen.colour = '';
    else if (code >= 30 && code <= 37) pen.colour = colours[code - 30] ?? '';
    else if (code >= 90 && code <= 97) pen.colour = colours[code - 90] ?? '';
    // 38;5;n and 38;2;r;g;b name colours outside the sixteen. They are skipped with their parameters.
    else if (code === 38 || code === 48) index += codes[index + 1] === 5 ? 2 : 4;
  }
  return pen;
}
