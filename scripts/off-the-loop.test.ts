import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './import-graph.mjs';
import { root } from './install.mjs';

const folder = 'api/src/proxies/rule-worker';
/** What runs a person's pattern, or reads a website's page. */
const heavy = /\b(?:compileSite|explainUrl|answerUrl|resolvePath|warnAbout|htmlparser2|re2js)\b/;
/** Rooms whose code runs on the console's loop. The page runs a person's pattern in the person's own browser. */
const onTheLoop = /^(?:api|monitor|store|homeport|ssh|dokku|egress|contract)\/src\//;

test('the console runs no pattern and reads no page on its own loop: only the rule worker has the code', () => {
  const users = sourceFiles().filter(
    (path) => onTheLoop.test(path) && heavy.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(users.sort()).toEqual([`${folder}/do-job.ts`, `${folder}/find-orphaned.ts`]);
  const importers = sourceFiles().filter((path) =>
    /from '\.[^']*\/(?:do-job|find-orphaned)\.ts'/.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(importers.sort()).toEqual([`${folder}/do-job.ts`, `${folder}/worker.ts`]);
});
