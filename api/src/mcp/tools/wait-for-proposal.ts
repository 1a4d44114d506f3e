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
    const changes = await caller.follow('GET /api/events', {}, { after: null, signal: ended.signal });
    const look = () => caller.read('GET /api/proposals/:id', { path: { id } });
    const timer = setTimeout(() => ended.abort(), seconds * 1_000);
    try {
      let shown = await look();
      caller.concerns('app', shown.appId);
      if (shown.state === 'open') {
        for await (const { topic, id: changed } of changes) {
          if (topic !== 'proposals' || (changed !== null && changed !== id)) continue;
          shown = await look();
          if (shown.state !== 'open') break;
        }
        // Its time may have passed without a change.
        if (shown.state === 'open') shown = await look();
      }
      return describeProposal(shown);
    } finally {
      clearTimeout(timer);
      ended.abort();
    }
  },
});
