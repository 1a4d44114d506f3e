import { mostInteger } from '@homeport/contract/fields/facts';
import { mcpLimits } from '@homeport/contract/mcp/facts';
import { isOver } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import { z } from 'zod';
import { describeOperation } from '../describe-operation.ts';
import { defineTool } from '../tool.ts';

export const waitFor = defineTool({
  name: 'wait_for',
  title: 'Wait for an operation',
  description:
    'Waits until the operation is over or begins to wait for a person, at most `seconds`, and shows it. Call it again while `over` is false.',
  scopes: ['operations:read'],
  input: z.strictObject({
    operation: z.uuid(),
    seconds: z.number().int().min(1).max(mcpLimits.waitSeconds).default(30),
  }),
  async run(caller, { operation: id, seconds }) {
    let shown = await caller.read('GET /api/operations/:id', { path: { id } });
    caller.concerns('operation', id);
    let wasWaiting = shown.state === 'waiting';
    const isAwaited = ({ state }: Operation) => !isOver(state) && (state !== 'waiting' || wasWaiting);
    if (isAwaited(shown)) {
      const ended = new AbortController();
      const events = await caller.follow(
        'GET /api/operations/:id/events',
        { id },
        // Behind every line: only states are awaited.
        { after: String(mostInteger), signal: ended.signal },
      );
      const timer = setTimeout(() => ended.abort(), seconds * 1_000);
      try {
        for await (const event of events) {
          if (event.type !== 'state') continue;
          shown = event.operation;
          wasWaiting &&= shown.state === 'waiting';
          if (!isAwaited(shown)) break;
        }
      } finally {
        clearTimeout(timer);
      }
    }
    return { over: isOver(shown.state), operation: describeOperation(shown) };
  },
});
