import { hostnameCharacters } from '@homeport/contract/fields/facts';
import { z } from 'zod';
import { proposeCall } from '../describe-proposal.ts';
import { appOf } from '../named-records.ts';
import { recordName } from '../records.ts';
import { defineTool, reason } from '../tool.ts';

export const proposeDomain = defineTool({
  name: 'propose_domain',
  title: 'Propose one more domain for an app',
  description:
    'Keeps the addition for the person, who approves or declines it in a browser. Runs nothing, and changes no DNS record. `why` is for the person.',
  scopes: ['apps:propose'],
  proposes: true,
  input: z.strictObject({ app: recordName, domain: z.string().max(hostnameCharacters), why: reason }),
  async run(caller, { app: name, domain, why }) {
    const { id } = appOf(caller, await caller.read('GET /api/apps'), name);
    return proposeCall(
      caller,
      { route: 'POST /api/apps/:id/domains', params: { id }, body: { domain } },
      why,
    );
  },
});
