import type { Share } from '@homeport/contract/shares/share';
import { shares } from '@homeport/contract/shares/table';

/** The lines of the table of shares for docs/configuration.md. */
export function shareTable(): string[] {
  return [
    '| Of one | At most | What | Beyond | Setting |',
    '| --- | --- | --- | --- | --- |',
    ...shares.map(
      (share) =>
        `| ${share.of} | ${amountOf(share)} | ${share.what} | ${share.beyond} | ${share.setting ? `\`${share.setting}\`` : ''} |`,
    ),
  ];
}

const begin = '<!-- shares: made from contract/src/shares by `npx tsx scripts/document-settings.ts` -->\n';
const end = '<!-- /shares -->';

/** SECURITY.md with the present table of shares between its two marks: what holds each, and the test that shows it. */
export function withShares(page: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error('SECURITY.md has lost the marks of the table of shares.');
  const lines = [
    '| Of one | At most | What | Held in | Test |',
    '| --- | --- | --- | --- | --- |',
    ...shares.map(
      (share) =>
        `| ${share.of} | ${amountOf(share)} | ${share.what} | \`${share.heldIn}\` | \`${share.test.split('/').at(-1)}\` |`,
    ),
  ];
  return `${page.slice(0, from)}${begin}${lines.join('\n')}\n${page.slice(to)}`;
}

function amountOf({ number, unit }: Share): string {
  if (unit === 'bytes')
    return number % (1024 * 1024) === 0 ? `${number / 1024 / 1024} MiB` : `${number / 1024} KiB`;
  return `${number.toLocaleString('en')}${unit === undefined ? '' : ` ${unit}`}`;
}
