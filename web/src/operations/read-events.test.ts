import { describe, expect, it } from 'vitest';
import { readEvents } from './read-events.ts';

const bodyOf = (...chunks: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });

async function all(...chunks: string[]) {
  const events: string[] = [];
  for await (const { data } of readEvents(bodyOf(...chunks))) events.push(data);
  return events;
}

describe('the events of a stream', () => {
  it('are told apart by empty lines, whatever pieces they arrive in', async () => {
    expect(await all('data: {"a"', ':1}\n', '\ndata: 2\n\n')).toEqual(['{"a":1}', '2']);
  });
  it('may have several lines of data, and comments between them', async () => {
    expect(await all(': keep\n\nid: 7\ndata: one\ndata:two\n\n')).toEqual(['one\ntwo']);
  });
  it('end with what was whole: an event that broke off is not told', async () => {
    expect(await all('data: 1\n\ndata: 2\n')).toEqual(['1']);
  });
  it('take the line ends of other systems, also where a piece ends between the two characters', async () => {
    expect(await all('data: 1\r', '\n\r\ndata: 2\r\n\r\n')).toEqual(['1', '2']);
  });
});

it('stops reading when its reader leaves', async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: x\n\n')),
    cancel: () => {
      cancelled = true;
    },
  });
  for await (const _event of readEvents(body)) break;
  expect(cancelled).toBe(true);
});
