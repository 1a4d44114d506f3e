import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..');
/** Each place that leads to the page of a database, with what stands behind the address. */
const links = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
  .flatMap((path) =>
    readFileSync(join(folder, path), 'utf8')
      .split(/\bto(?:=|: )['"]\/databases\/\$longname['"]/)
      .slice(1)
      .map((behind) => ({ path, behind })),
  );

test('each link to a database says which one it means, because another server or type may have one of its name', () => {
  expect(links.length).toBeGreaterThan(5);
  for (const { path, behind } of links)
    expect(behind, path).toMatch(/^,?\s*params[^}]*\}+,?\s*search(?:=\{\{|: \{) (?:id|id: [\w.]+) \}/);
});
