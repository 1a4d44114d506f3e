/** The first word alone, and only where it looks like a program: titles stand in lists and in mails, and words may hold secrets. */
export function programOf([program = '']: readonly string[]): string {
  return /^[\w./-]{1,60}$/.test(program) ? program : 'a command';
}
