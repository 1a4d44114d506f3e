import { operationStates } from '@homeport/contract/operations/facts';
import { z } from 'zod';
import { shortOperation } from '../describe-operation.ts';
import { pageInput, pageOf, recordName } from '../records.ts';
import { defineTool } from '../tool.ts';

export const listOperations = defineTool({
  name: 'list_operations',
  title: 'List operations',
  description:
    'Lists deploys, installations and other long work, the newest first, with their state and the step that failed. waitingFor `connection` means that a person has to open the console in the browser that holds the SSH key.',
  scopes: ['operations:read'],
  input: z.strictObject({
    app: recordName.optional().describe('Only work on the app with this name in Dokku.'),
    state: z.enum(operationStates).optional(),
    cursor: pageInput.cursor,
    limit: pageInput.limit,
  }),
  async run(caller, { app, state, ...page }) {
    const all = await caller.read('GET /api/operations');
    const chosen = all.filter(
      (each) => (app === undefined || each.longname === app) && (state === undefined || each.state === state),
    );
    const { items, ...rest } = pageOf(chosen, page, shortOperation);
    return { operations: items, ...rest };
  },
});
