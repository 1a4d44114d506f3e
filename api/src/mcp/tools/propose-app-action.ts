import { z } from 'zod';
import { invalidField } from '../../http/validation.ts';
import { proposeCall } from '../describe-proposal.ts';
import { appOf } from '../named-records.ts';
import { recordName } from '../records.ts';
import { defineTool, reason } from '../tool.ts';

export const proposeAppAction = defineTool({
  name: 'propose_app_action',
  title: 'Propose to start, stop or restart an app',
  description:
    'Keeps the action for the person, who approves or declines it in a browser. Runs nothing. `process` with restart: only the processes of this type, such as worker. `why` is for the person.',
  scopes: ['apps:propose'],
  proposes: true,
  input: z.strictObject({
    app: recordName,
    action: z.enum(['start', 'stop', 'restart']),
    process: z.string().max(63).optional(),
    why: reason,
  }),
  async run(caller, { app: name, action, process, why }) {
    const params = { id: appOf(caller, await caller.read('GET /api/apps'), name).id };
    if (process === undefined)
      return proposeCall(caller, { route: `POST /api/apps/:id/${action}`, params }, why);
    if (action !== 'restart') throw invalidField('process', 'Only a restart is of one type of process.');
    return proposeCall(
      caller,
      { route: 'POST /api/apps/:id/processes/restart', params, body: { type: process } },
      why,
    );
  },
});
