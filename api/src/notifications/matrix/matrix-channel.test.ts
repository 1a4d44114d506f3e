import { createMatrix, encryptedRoom, matrixAccount, startChat } from '@homeport/stand-ins/chats';
import { expect, test } from 'vitest';
import {
  acknowledgePage,
  cameBack,
  deliverTo,
  hostileName,
  hugeNews,
  manyNews,
  origin,
} from '../chat/testing.ts';

async function startMatrix() {
  const matrix = createMatrix();
  const server = await startChat(matrix.chat);
  const target = (changes: Partial<typeof matrixAccount> = {}) =>
    ({ kind: 'matrix', url: server.url, ...matrixAccount, ...changes }) as const;
  return { ...matrix, ...server, target };
}

const visible = (text: string | undefined) => text?.replaceAll('\u2060', '');

test('names of strangers read as themselves, call nobody and lead nowhere', async () => {
  await using matrix = await startMatrix();
  expect(await deliverTo(matrix.target(), matrix)).toMatchObject({
    ...{ outcome: 'sent', posted: JSON.stringify([matrixAccount.room, '$event/0+']) },
  });
  expect(matrix.events).toMatchObject([
    { links: [`${origin}/server/k3y`, acknowledgePage], pings: [], quiet: false },
  ]);
  expect(visible(matrix.events[0]?.text)?.split(hostileName)).toHaveLength(3);
  expect(matrix.events[0]?.text).not.toMatch(/@everyone|:\/\/|eve\.example/);
});

test('a message that is sent again under its id is no second one', async () => {
  await using matrix = await startMatrix();
  const id = '0c9d2f1e-0000-4000-8000-000000000000';
  for (let attempt = 0; attempt < 2; attempt += 1)
    await deliverTo(matrix.target(), { ...matrix, message: { id } });
  expect(matrix.events).toHaveLength(1);
});

test('the end of an incident is written into its first message, and told without a sound', async () => {
  await using matrix = await startMatrix();
  const first = await deliverTo(matrix.target(), matrix);
  const firstPosted = first.outcome === 'sent' ? (first.posted ?? null) : null;
  await deliverTo(matrix.target(), { ...matrix, message: { news: [cameBack], firstPosted } });
  expect(matrix.events).toMatchObject([
    { edited: true, text: expect.stringMatching(/^Resolved: /), pings: [] },
    { edited: false, quiet: true, text: expect.stringMatching(/^Resolved: /) },
  ]);
});

test('summaries and huge news fit', async () => {
  await using matrix = await startMatrix();
  for (const news of [manyNews(120), [hugeNews]] as const)
    expect(await deliverTo(matrix.target(), { ...matrix, message: { news } })).toMatchObject({
      outcome: 'sent',
    });
  expect(matrix.events[0]?.text).toMatch(/^120 pieces of news\n[\s\S]*\nAnd 105 more\.\nAcknowledge$/);
});

test('an encrypted room, a wrong token and a foreign room are broken, each with its reason', async () => {
  await using matrix = await startMatrix();
  const said = (changes: Partial<typeof matrixAccount>) => deliverTo(matrix.target(changes), matrix);
  expect(await said({ room: encryptedRoom })).toMatchObject({
    ...{ outcome: 'broken', answer: expect.stringMatching(/^The room is encrypted/) },
  });
  expect(await said({ token: 'other' })).toMatchObject({
    ...{ outcome: 'broken', answer: expect.stringContaining('the access token is not right') },
  });
  expect(await said({ room: '!other:matrix.example' })).toMatchObject({
    ...{ outcome: 'broken', answer: expect.stringContaining('the account may not write into this room') },
  });
  expect(matrix.events).toEqual([]);
});

test('waits for as long as an older server says in its answer', async () => {
  await using matrix = await startMatrix();
  const limited = { errcode: 'M_LIMIT_EXCEEDED', error: 'Too many requests', retry_after_ms: 4_200 };
  matrix.refuseNext({ status: 429, body: limited });
  expect(await deliverTo(matrix.target(), matrix)).toMatchObject({ outcome: 'failed', retryAfterMs: 4_200 });
});

test.each([
  { status: 500, body: {} },
  { status: 404, body: {} },
  { status: 429, body: { errcode: 'M_LIMIT_EXCEEDED' } },
])('sends nothing in clear where it cannot read whether the room is encrypted: %o', async (answer) => {
  await using matrix = await startMatrix();
  matrix.refuseNext(answer);
  expect(await deliverTo(matrix.target(), matrix)).not.toMatchObject({ outcome: 'sent' });
  expect(matrix.events).toEqual([]);
});
