import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { membersOf, membersWithoutUser, productFiles } from './dokku-users.ts';
import { root } from './install.mjs';

const exported: Record<string, unknown> = await import(join(root, 'dokku/src/index.ts'));
const members = membersOf(exported);
const files = productFiles();

it('a feature uses every builder, every reader and every other value of dokku/', () => {
  const sources = files.map((path) => readFileSync(join(root, path), 'utf8'));
  expect(membersWithoutUser(members, sources)).toEqual([]);
});

it('the values come from all exports, the sources from every room of the product', () => {
  expect(members).toEqual(expect.arrayContaining(['ps.start', 'ps.readReport', 'failureOf']));
  expect(files).toEqual(
    expect.arrayContaining(['api/src/apps/changes/create-app.ts', 'homeport/src/demo/link-sandbox.ts']),
  );
  expect(files.filter((path) => /^(dokku|e2e|bench|scripts)\/|\.test\.|\/testing\//.test(path))).toEqual([]);
});

describe('a builder without a user is found', () => {
  const unused = (...sources: string[]) => membersWithoutUser(['ps.start', 'ps.stop'], sources);

  it('beside one that is used, whatever the import calls the namespace', () => {
    expect(unused("import { ps } from '@homeport/dokku'; run(ps.start(app));")).toEqual(['ps.stop']);
    expect(unused("import { ps as states } from '@homeport/dokku'; const make = states.start;")).toEqual([
      'ps.stop',
    ]);
  });

  it('outside a namespace', () => {
    const source = "import { appName } from '@homeport/dokku';";
    expect(membersWithoutUser(['appName', 'linesOf'], [source])).toEqual(['linesOf']);
  });

  it('where only a comment, a text, another module or another object has its name', () => {
    expect(
      unused(
        "import { ps } from '@homeport/dokku'; // ps.start",
        "import { ps } from '@homeport/dokku'; const text = 'ps.start';",
        "import { ps } from './processes.ts'; ps.start(app);",
        "import { ps } from '@homeport/dokku'; server.ps.start(app);",
        "import { apps } from '@homeport/dokku'; ps.start(app);",
      ),
    ).toEqual(['ps.start', 'ps.stop']);
  });
});
