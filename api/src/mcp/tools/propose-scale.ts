import { processesPerType } from '@homeport/contract/apps/processes/facts';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import { invalidField } from '../../http/validation.ts';
import { proposeCall } from '../describe-proposal.ts';
import { appOf } from '../named-records.ts';
import { recordName } from '../records.ts';
import { defineTool, reason } from '../tool.ts';

export const proposeScale = defineTool({
  name: 'propose_scale',
  title: 'Propose how many processes of a type run',
  description:
    'Keeps the new number for the person, who approves or declines it in a browser. Runs nothing. `process` is a type, such as web. `why` is for the person.',
  scopes: ['apps:propose'],
  proposes: true,
  input: z.strictObject({
    app: recordName,
    process: z.string().max(63),
    to: z.number().int().min(0).max(processesPerType),
    why: reason,
  }),
  async run(caller, { app: name, process, to, why }) {
    const { id } = appOf(caller, await caller.read('GET /api/apps'), name);
    const { processes } = await caller.read('GET /api/apps/:id/known', { path: { id } });
    if (!processes)
      throw new ProblemError('conflict', 'The console has not read the processes of this app yet.', {
        recovery: 'Ask the person to open the page of the app in the browser that holds the key.',
      });
    const known = processes.told.types.find(({ type }) => type === process);
    if (!known)
      throw invalidField('process', 'The app had no process of this type when its server was read.');
    const change = { type: process, from: known.quantity, to };
    return proposeCall(
      caller,
      {
        route: 'POST /api/apps/:id/scale',
        params: { id },
        body: { processes: [change], start: false },
      },
      why,
    );
  },
});
