import { withoutHidden } from '@homeport/contract/fields/shown-text';

/** Longer texts of one cell or one line are cut. */
const mostCharacters = 2_000;

/**
 * A text of a console, a server or an app as one line that no terminal obeys: without control, invisible and bidirectional
 * characters, line breaks and tabs.
 */
export function oneLine(text: string): string {
  const line = wholeLine(text.slice(0, mostCharacters));
  return text.length > mostCharacters ? `${line}…` : line;
}

/** The same without a cut, for what the console has bounded. */
export const wholeLine = (text: string): string => withoutHidden(text).replace(/[\n\t]/g, ' ');
