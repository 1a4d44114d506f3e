import { testDatabase } from '@homeport/store/testing';
import { expect, it } from 'vitest';
import { createMailer } from './mailer.ts';
import { listOutbox } from './outbox.ts';

it('keeps the newest 200 messages, newest first, and shows each at the terminal', async () => {
  await using database = await testDatabase();
  let now = 1_000;
  const announced: string[] = [];
  const mailer = createMailer({
    store: database.store,
    smtp: null,
    announce: (text) => announced.push(text),
    clock: () => now,
  });
  for (; now < 1_203; now += 1) {
    await mailer.send({ to: 'ada@example.com', subject: `number ${now}`, text: 'Hello' });
  }
  const kept = await listOutbox(database.store);
  expect(kept).toHaveLength(200);
  expect(kept[0]).toMatchObject({ to: 'ada@example.com', subject: 'number 1202', text: 'Hello', at: 1_202 });
  expect(kept[199]).toMatchObject({ at: 1_003 });
  expect(announced).toHaveLength(203);
  expect(announced[0]).toContain('ada@example.com');
});
