/** The first five names, and how many more there are. */
export function namesOf(longnames: readonly string[]): string {
  const shown = longnames.slice(0, 5).join(', ');
  return longnames.length > 5 ? `${shown} and ${longnames.length - 5} more` : shown;
}
