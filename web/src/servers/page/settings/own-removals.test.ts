/// <reference types="node" />
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import type { OperationState } from '@homeport/contract/operations/facts';
import { expect, it } from 'vitest';
import { pinHostKey, readTrust, setAskEachTime } from '../../../connections/server-trust.ts';
import { forgetIfRemovedHere, noteRemoval } from './own-removals.ts';

const ended = (state: OperationState) => async () => ({ state });

async function trusted(): Promise<string> {
  const id = randomUUID();
  await pinHostKey(id, 'SHA256:known');
  await setAskEachTime(id, true);
  return id;
}
const kept = { pin: 'SHA256:known', askEachTime: true };
const forgotten = { pin: null, askEachTime: false };

it('keeps the pin and the setting of a server that is only missing from a list', async () => {
  const id = await trusted();
  await forgetIfRemovedHere(id, ended('succeeded'));
  expect(await readTrust(id)).toMatchObject(kept);
});

it('forgets a removed server at once', async () => {
  const id = await trusted();
  await noteRemoval(id, null);
  expect(await readTrust(id)).toMatchObject(forgotten);
});

it('forgets a server when the person’s own removal has succeeded, not when it failed', async () => {
  const id = await trusted();
  await noteRemoval(id, { id: 'operation' });
  expect(await readTrust(id)).toMatchObject(kept);
  await forgetIfRemovedHere(id, ended('failed'));
  expect(await readTrust(id)).toMatchObject(kept);
  await forgetIfRemovedHere(id, ended('succeeded'));
  expect(await readTrust(id)).toMatchObject(forgotten);
});
