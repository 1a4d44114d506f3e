/** Writes docs/configuration.md and the text of `--help` from the table of settings. */
import { writeFile } from 'node:fs/promises';
import { configurationPage, helpText } from '../homeport/src/config/document.ts';

const root = new URL('../', import.meta.url);
await writeFile(new URL('docs/configuration.md', root), configurationPage());
await writeFile(new URL('homeport/help.txt', root), helpText());
