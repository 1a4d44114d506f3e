import type { Change } from '@homeport/contract/live/schema';
import { mcpLimits } from '@homeport/contract/mcp/facts';
import { z } from 'zod';
import { describeProposal } from '../describe-proposal.ts';
import { defineTool } from '../tool.ts';

export const waitForProposal = defineTool({
  name: 'wait_for_proposal',
  title: 'Wait until a person has decided',
  description:
    'Waits until the person approves or declines what this token proposed, at most `seconds`, and shows it. Call it again while `state` is open.',
  scopes: ['apps:propose'],
  input: z.strictObject({
    proposal: z.uuid(),
    seconds: z.number().int().min(1).max(mcpLimits.waitSeconds).default(30),
  }),
  async run(caller, { proposal: id, seconds }) {
    const ended = new AbortController();
    // Before the first look, so that a decision in between is heard.
    const followed = await caller.follow('GET /api/events', {}, { after: null, signal: ended.signal });
    const changes = followed[Symbol.asyncIterator]();
    const look = () => caller.read('GET /api/proposals/:id', { path: { id } });
    const timer = setTimeout(() => ended.abort(), seconds * 1_000);
    try {
      let shown = await look();
      caller.concerns('app', shown.appId);
      while (shown.state === 'open') {
        const change = await changes.next();
        // Its time may have passed without a change.
        if (change.done || concerns(change.value, id)) shown = await look();
        if (change.done) break;
      }
      return describeProposal(shown);
    } finally {
      clearTimeout(timer);
      ended.abort();
      await changes.return?.();
    }
  },
});

/** With an id of null all records of the topic may have changed. */
const concerns = ({ topic, id }: Change, proposal: string): boolean =>
  topic === 'proposals' && (id === null || id === proposal);
