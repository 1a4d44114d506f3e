import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { certificateMailHelp } from './certificate-mail.ts';
import { storageTexts } from './page/manage/storage-texts.ts';

const folder = import.meta.dirname;
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
const using = (name: string) =>
  sources
    .filter(({ text }) => text.includes(`${name}}`) || text.includes(`: ${name},`))
    .map(({ path }) => path);

test('no form promises that the authority writes before a certificate ends, and both say who does', () => {
  expect(certificateMailHelp).toMatch(
    /^Let’s Encrypt asks for it and sends no reminders\. Homeport notifies you/,
  );
  expect(using('certificateMailHelp').sort()).toEqual(['new/NewAppForm.tsx', 'page/manage/HttpsDialog.tsx']);
  for (const { path, text } of sources)
    expect(text, path).not.toMatch(/authority (?:writes|tells|reminds|warns)/i);
});

test('a folder of an app is promised no size and no bound, because no server holds it to one', () => {
  expect(storageTexts.offer).toContain('the server sets it no bound');
  expect(storageTexts.kept).toContain('which the server does not enforce');
  for (const { path, text } of sources) expect(text, path).not.toMatch(/up to \$?\{storageCapGb\}/);
});
