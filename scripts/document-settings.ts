/** Writes docs/configuration.md, the text of `--help` and the rules of values from the table of settings, and the table of shares in SECURITY.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { configurationPage, helpText, rulesOfSettings } from '../homeport/src/config/document.ts';
import { withShares } from '../homeport/src/config/document-shares.ts';

const root = new URL('../', import.meta.url);
await writeFile(new URL('docs/configuration.md', root), configurationPage());
await writeFile(new URL('homeport/help.txt', root), helpText());
await writeFile(new URL('homeport/settings.json', root), rulesOfSettings());
const security = new URL('SECURITY.md', root);
await writeFile(security, withShares(await readFile(security, 'utf8')));
