/**
 * The fewest lines of an answer that are about as high as the settings beside it. A server with Dokku has three or more settings that
 * bare metal lacks.
 */
const fewestBeside = { metal: 9, dokku: 16 };

/**
 * Whether the panel takes the row, and the settings stand below in two columns. Beside the settings, a short answer would leave a hole
 * below itself.
 */
export function standsAlone(text: string, metal: boolean): boolean {
  return text.trimEnd().split('\n').length < (metal ? fewestBeside.metal : fewestBeside.dokku);
}
