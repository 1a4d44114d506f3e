import { expect, it } from 'vitest';
import { lockAll } from './unlocked-keys.ts';

it('tells every other tab to lock its keys', async () => {
  const otherTab = new BroadcastChannel('homeport.keys');
  const heard = new Promise((resolve) => {
    otherTab.onmessage = ({ data }) => resolve(data);
  });
  lockAll();
  expect(await heard).toBe('lock-all');
  otherTab.close();
});
