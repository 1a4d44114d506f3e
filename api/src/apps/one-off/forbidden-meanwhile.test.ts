import { randomUUID } from 'node:crypto';
import { ceilings } from '@homeport/contract/limits';
import type { OperationState } from '@homeport/contract/operations/facts';
import type { CommandOptions } from '@homeport/ssh';
import { ownerFromSession } from '@homeport/store';
import { testDatabase } from '@homeport/store/testing';
import { expect, test } from 'vitest';
import { createOperationEngine } from '../../operations/engine.ts';
import { findOperation } from '../../operations/record.ts';
import type { ConnectionSource } from '../../remote/server-access.ts';
import { plantApp, plantServer } from '../../testing/plant.ts';
import { runCommandInApp } from './run-in-app.ts';

/** A server that answers all questions about an app with a deployed image, and the command that a person may not run any more. */
async function startWaitingCommand(background: boolean) {
  const { store, close } = await testDatabase();
  const { db } = store;
  const user = { id: randomUUID(), name: 'Ines', email: `${randomUUID()}@example.com`, emailVerified: true };
  await db.insertInto('auth.user').values(user).execute();
  const owner = ownerFromSession(user.id);
  const server = await plantServer(db, owner, { commands_allowed: true });
  const app = await plantApp(db, owner, server.id);
  const last = background ? 'run:list' : 'ps:report';
  const forbid = () => db.updateTable('servers').set({ commands_allowed: false }).execute();

  let isOpen = true;
  let onChannel: () => Promise<unknown> = () => Promise.resolve();
  let onOpened = () => {};
  const sent: string[] = [];
  const exec = async ({ argv, before }: CommandOptions) => {
    const line = argv.join(' ');
    if (/ run(:detached)? /.test(line)) await onChannel();
    await before?.();
    sent.push(line);
    // The connection is closed after the last question before the command.
    if (line.includes(last)) isOpen = false;
    const stdout = line.includes('ps:report') ? 'true\n' : line.includes('run:list') ? '[]' : '';
    return {
      ...{ exitCode: 0, signal: null, stdout, stderr: '' },
      ...{ startedAt: 0, durationMs: 0, truncated: false },
    };
  };
  const connections: ConnectionSource = {
    find: () => (isOpen ? { exec, bootId: null, facts: { hostKeyType: '', hostKeyBlob: '' } } : null),
    onChange(listener) {
      onOpened = listener;
      return () => {};
    },
  };
  const engine = await createOperationEngine({
    ...{ store, definitions: [runCommandInApp({ db })], connections, sole: true, most: ceilings.operations },
    log: { error: (details, message) => expect.fail(`${message}: ${JSON.stringify(details)}`) },
  });
  const { id } = await engine.start({
    ...{ kind: 'app.run', owner, sessionId: randomUUID(), lane: 'command', serverId: server.id },
    input: { appId: app.id, longname: app.longname, words: ['touch', 'mine'], background },
  });
  const reaches = async (state: OperationState) => {
    const found = () => findOperation(db, owner, id);
    await expect.poll(async () => (await found())?.state, { timeout: 30_000 }).toBe(state);
    return found();
  };
  await reaches('waiting');
  return {
    ...{ reaches, forbid, sent },
    events: () => db.selectFrom('security_events').select(['kind', 'subject']).execute(),
    commands: () => db.selectFrom('operation_commands').select('command').execute(),
    connect({ meanwhile }: { meanwhile: () => Promise<unknown> }) {
      onChannel = meanwhile;
      isOpen = true;
      onOpened();
    },
    async [Symbol.asyncDispose]() {
      await engine.close();
      await close();
    },
  };
}

for (const background of [false, true]) {
  const which = background ? 'a command in the background' : 'a command';

  test(`${which} that waited for a connection while it was forbidden never goes out`, async () => {
    await using waiting = await startWaitingCommand(background);
    await waiting.forbid();
    waiting.connect({ meanwhile: () => Promise.resolve() });
    expect(await waiting.reaches('failed')).toMatchObject({ problem: { code: 'not_allowed' } });
    expect(waiting.sent.join()).not.toContain('touch mine');
    expect(JSON.stringify(await waiting.commands())).not.toContain('touch mine');
  });

  test(`${which} that is forbidden while it waits for a channel never goes out`, async () => {
    await using waiting = await startWaitingCommand(background);
    waiting.connect({ meanwhile: waiting.forbid });
    expect(await waiting.reaches('failed')).toMatchObject({ problem: { code: 'not_allowed' } });
    expect(waiting.sent.join()).not.toContain('touch mine');
    const [event] = await waiting.events();
    expect(event).toMatchObject({ kind: 'command_run', subject: expect.stringMatching(/: .*not begun$/) });
  });
}
