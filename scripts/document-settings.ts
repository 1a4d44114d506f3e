/**
 * Writes docs/configuration.md, the text of `--help`, the rules of values and the file of settings of the Debian package from the table of
 * settings; docs/cli.md from the table of the terminal's commands; the table of shares in SECURITY.md; and the unit in the operator guide from the one of the Debian package.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { commandsPage } from '../cli/src/document.ts';
import { configurationPage, helpText, rulesOfSettings } from '../homeport/src/config/document.ts';
import { environmentFile } from '../homeport/src/config/document-environment.ts';
import { withShares } from '../homeport/src/config/document-shares.ts';
import { withUnit } from '../homeport/src/config/document-unit.ts';

const root = new URL('../', import.meta.url);
await writeFile(new URL('docs/configuration.md', root), configurationPage());
await writeFile(new URL('docs/cli.md', root), commandsPage());
await writeFile(new URL('homeport/help.txt', root), helpText());
await writeFile(new URL('homeport/settings.json', root), rulesOfSettings());
await writeFile(new URL('packaging/homeport.env', root), environmentFile());
const security = new URL('SECURITY.md', root);
await writeFile(security, withShares(await readFile(security, 'utf8')));
const guide = new URL('docs/operator-guide.md', root);
const unit = await readFile(new URL('packaging/homeport.service', root), 'utf8');
const { scripts } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
  scripts: { start: string };
};
await writeFile(guide, withUnit(await readFile(guide, 'utf8'), unit, scripts.start));
