import { z } from 'zod';
import { describeProposal } from '../describe-proposal.ts';
import { defineTool } from '../tool.ts';

export const withdrawProposal = defineTool({
  name: 'withdraw_proposal',
  title: 'Take a proposal back',
  description: 'Takes back what this token proposed and nobody has decided about. Nothing runs.',
  scopes: ['apps:propose'],
  proposes: true,
  input: z.strictObject({ proposal: z.uuid() }),
  async run(caller, { proposal: id }) {
    const withdrawn = await caller.send('POST /api/proposals/:id/withdraw', { params: { id } });
    caller.concerns('app', withdrawn.appId);
    return describeProposal(withdrawn);
  },
});
