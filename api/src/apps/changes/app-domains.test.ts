import type { Command } from '@homeport/dokku';
import { expect, test } from 'vitest';
import { dropDomain } from './app-domains.ts';
import type { AppStep } from './on-app.ts';

test('a domain that somebody gave an app by hand can be removed, though people may not give it here', async () => {
  const sent: string[] = [];
  const run = (async (_account: string, command: Command) => {
    sent.push(command.words.join(' '));
  }) as unknown as AppStep['run'];
  await dropDomain({ run } as AppStep, 'ledger', 'old_shop.example.com');
  await dropDomain({ run } as AppStep, 'ledger', '*.example.com');
  expect(sent).toEqual(['domains:remove ledger old_shop.example.com', 'domains:remove ledger *.example.com']);
  await expect(dropDomain({ run } as AppStep, 'ledger', '--global')).rejects.toThrow();
});
