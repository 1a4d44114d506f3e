import { afterEach, expect, it, vi } from 'vitest';
import { callConfirmed } from './call-confirmed.ts';
import { confirmationStore } from './confirmation.ts';

afterEach(() => vi.unstubAllGlobals());

const refusal = { code: 'confirmation_required', message: 'Confirm first.', recovery: 'Confirm.' };
const linked = { url: 'https://github.example/consent' };

/** Answers each request with the next of these. */
function answering(...answers: [number, object][]) {
  const fetched = vi.fn(async (_url: string, _init: RequestInit) => {
    const [status, body] = answers.shift() ?? [500, {}];
    return new Response(JSON.stringify(body), { status });
  });
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

const answer = (confirmed: boolean) =>
  vi.waitFor(() => {
    const asked = confirmationStore.current();
    if (!asked) throw new Error('Nobody was asked yet.');
    asked.answer(confirmed);
  });

it('asks nobody where the console does not want to know', async () => {
  answering([200, linked]);
  expect(await callConfirmed('POST /api/github/link')).toEqual(linked);
  expect(confirmationStore.current()).toBeNull();
});

it('sends the act once more after the person has confirmed', async () => {
  const fetched = answering([403, refusal], [200, linked]);
  const act = callConfirmed('POST /api/github/link');
  await answer(true);
  expect(await act).toEqual(linked);
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(confirmationStore.current()).toBeNull();
});

it('sends nothing again where the person does not confirm', async () => {
  const fetched = answering([403, refusal]);
  const act = callConfirmed('POST /api/github/link');
  const refused = expect(act).rejects.toMatchObject({ code: 'confirmation_required' });
  await answer(false);
  await refused;
  expect(fetched).toHaveBeenCalledTimes(1);
});

it('asks once for acts of the same moment', async () => {
  const fetched = answering([403, refusal], [403, refusal], [200, linked], [200, linked]);
  const acts = [callConfirmed('POST /api/github/link'), callConfirmed('POST /api/github/link')];
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(2));
  await answer(true);
  expect(await Promise.all(acts)).toEqual([linked, linked]);
});
