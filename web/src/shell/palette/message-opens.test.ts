import { expect, it } from 'vitest';
import { toast, toastStore } from '../../ui/feedback/toasts.ts';
import { messageOpens } from './message-opens.ts';

it('opens what a recent message is about: its operation, or the page on which it was shown', () => {
  toast.ok('App Created', { operationId: 'operation-1' });
  toast.ok('lantern removed', { page: '/servers' });
  toast.info('said outside a browser');
  expect(toastStore.recent().slice(0, 3).map(messageOpens)).toEqual([
    { to: '/' },
    { to: '/servers' },
    { operation: 'operation-1' },
  ]);
});
