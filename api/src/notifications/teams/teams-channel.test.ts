import { createTeams, startChat, teamsPath } from '@homeport/stand-ins/chats';
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

async function startTeams() {
  const teams = createTeams();
  const server = await startChat(teams.chat);
  const target = (path = teamsPath) => ({ kind: 'teams', url: `${server.url}${path}` }) as const;
  return { ...teams, ...server, target };
}

test('names of strangers read as themselves, and the answer says that Teams has not answered', async () => {
  await using teams = await startTeams();
  expect(await deliverTo(teams.target(), teams)).toEqual({
    outcome: 'sent',
    answer: 'The workflow answered 202 Accepted. Look in Teams to see whether the message arrived.',
  });
  expect(teams.seen).toMatchObject([{ links: [`${origin}/server/k3y`, acknowledgePage] }]);
  expect(teams.seen[0]?.text.split(hostileName)).toHaveLength(3);
});

test('the end of an incident, summaries and huge news are cards that the workflow takes', async () => {
  await using teams = await startTeams();
  for (const news of [[cameBack], manyNews(120), [hugeNews]] as const)
    expect(await deliverTo(teams.target(), { ...teams, message: { news } })).toMatchObject({
      outcome: 'sent',
    });
  expect(teams.failedRuns).toEqual([]);
  expect(teams.seen).toMatchObject([
    { text: expect.stringMatching(/^Resolved: /) },
    {
      text: expect.stringMatching(/^120 pieces of news\n[\s\S]*\nAnd 90 more\.$/),
      links: [`${origin}/notifications`],
    },
    {},
  ]);
});

test.each([
  [teamsPath.replace('5gJ3', 'aaaa'), '401 Unauthorized: the address of the workflow is not right'],
  [teamsPath.replace('0123', 'aaaa'), '404 Not Found: the workflow was removed'],
])('a wrong workflow is broken: %s', async (path, answer) => {
  await using teams = await startTeams();
  expect(await deliverTo(teams.target(path), teams)).toMatchObject({
    outcome: 'broken',
    answer: expect.stringContaining(answer),
  });
});
