import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bodyOf, signUp } from '../http/testing.ts';
import { addPerson, addRepository, linkGithub, startTestGithub } from '../testing/github.ts';
import { startHeapConsole } from '../testing/heap-console.ts';

test('a token of GitHub that was used is not in a snapshot of the console’s heap', async () => {
  await using github = await startTestGithub();
  const octo = addPerson(github, 'octo');
  addRepository(github.state, { owner: octo, name: 'ledger', private: true });
  await using console = await startHeapConsole({ github });
  const ines = await signUp(console.url, 'ines');
  bodyOf(await linkGithub(ines, octo), 200);
  bodyOf(await ines.call('POST /api/github/repositories/refresh'), 200);
  bodyOf(await ines.call('GET /api/github'), 200);
  const [token = ''] = github.state.grants.keys();
  expect(token).toHaveLength(40);
  // Connections that were used stay open for a moment, with what was sent last.
  await wait(2_000);
  const { found, control } = await console.countInHeap(token);
  expect(control).toBeGreaterThan(0);
  expect(found).toBe(0);
}, 120_000);
