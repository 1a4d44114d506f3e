import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type S3Field, s3Fields } from '@homeport/contract/backups/facts';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'homeport-schedule-fields-'));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'homeport'));
writeFileSync(join(folder, 'homeport/dump-functions'), '');

const good = {
  endpoint: 'https://s3.example.com:9000',
  region: 'eu-central-1',
  bucket: 'shop.backups',
  prefix: 'backups/shop',
  accessKey: 'AKIA0',
  secret: 's3cret',
} as const satisfies Record<S3Field, string>;
const variables = {
  ...Object.fromEntries(Object.keys(good).map((field) => [field, field])),
  accessKey: 'access',
};

/** Reads pairs of a field's name and a value; prints whether the plugin takes an address with this value. */
const program = `
source "$1"
mapfile -d '' -t words
for ((at = 0; at < \${#words[@]}; at += 2)); do
  field=\${words[at]} value=\${words[at + 1]}
${Object.entries(variables)
  .map(([field, variable]) => `  ${variable}='${good[field as S3Field]}'`)
  .join('\n')}
  printf -v "$field" '%s' "$value"
  if is_target && find_secret /dev/null; then echo yes; else echo no; fi
done
`;

/** The good value with each character of ASCII at its start, inside and at its end; and values about as long as may be. */
function samplesOf(field: S3Field): string[] {
  const value = good[field];
  const { characters } = s3Fields[field];
  const placed = Array.from({ length: 127 }, (_, at) => String.fromCharCode(at + 1)).flatMap((each) => [
    `${each}${value}`,
    `${value.slice(0, 3)}${each}${value.slice(3)}`,
    `${value}${each}`,
    each,
  ]);
  const long = [characters - 1, characters, characters + 1].map((length) => value.padEnd(length, 'a'));
  return [...placed, ...long, 'é', `${value}/../x`, `${value}//x`, field === 'endpoint' ? 'http://a' : 'a/b'];
}

it.each(Object.keys(good) as S3Field[])('the plugin and the console take the same %s', (field) => {
  const samples = samplesOf(field);
  const input = samples.map((value) => `${variables[field as keyof typeof variables]}\0${value}\0`).join('');
  const functions = new URL('../../plugin/schedule-functions', import.meta.url).pathname;
  const answers = execFileSync('bash', ['-c', program, 'bash', functions], {
    input,
    encoding: 'utf8',
    env: { ...process.env, PLUGIN_AVAILABLE_PATH: folder, LC_ALL: 'C.UTF-8', lib: folder },
  });
  const { characters, pattern } = s3Fields[field];
  const expected = samples.map((value) => (value.length <= characters && pattern.test(value) ? 'yes' : 'no'));
  const differing = answers
    .trim()
    .split('\n')
    .flatMap((answer, at) => (answer === expected[at] ? [] : [samples[at]]));
  expect(differing).toEqual([]);
  expect(expected).toContain('yes');
});
