import { plans } from '@homeport/contract/apps/plans';
import { z } from 'zod';
import { proposeCall } from '../describe-proposal.ts';
import { appOf } from '../named-records.ts';
import { recordName } from '../records.ts';
import { defineTool, reason } from '../tool.ts';

export const proposePlan = defineTool({
  name: 'propose_plan',
  title: 'Propose another plan for an app',
  description:
    'Keeps the new limits of memory and processor for the person, who approves or declines them in a browser; the app is then restarted. Runs nothing. Plans go from 0 to 10. `why` is for the person.',
  scopes: ['apps:propose'],
  proposes: true,
  input: z.strictObject({
    app: recordName,
    plan: z
      .number()
      .int()
      .min(0)
      .max(plans.length - 1),
    why: reason,
  }),
  async run(caller, { app: name, plan, why }) {
    const { id, plan: from } = appOf(caller, await caller.read('GET /api/apps'), name);
    return proposeCall(
      caller,
      { route: 'POST /api/apps/:id/plan', params: { id }, body: { from, plan } },
      why,
    );
  },
});
