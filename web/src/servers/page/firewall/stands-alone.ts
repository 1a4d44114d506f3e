/**
 * The fewest lines of an answer that stand beside the settings: with fewer, more than 200 px below the answer are empty. A server with
 * Dokku has more settings than bare metal.
 */
const fewestBeside = { metal: 7, dokku: 12 };

/**
 * Whether the panel takes the row, and the settings stand below in two columns. Beside the settings, a short answer would leave a hole
 * below itself.
 */
export function standsAlone(text: string, metal: boolean): boolean {
  return text.trimEnd().split('\n').length < (metal ? fewestBeside.metal : fewestBeside.dokku);
}
