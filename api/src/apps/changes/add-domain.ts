import { domainsPerApp } from '@homeport/contract/limits';
import { messages } from '@homeport/contract/messages';
import { domainName } from '@homeport/dokku';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
} from '../../operations/definition.ts';
import { findApp } from '../../records/app-record.ts';
import { addDomains, addition, readWithDomain } from './app-domains.ts';
import { awaitLeftovers } from './await-leftovers.ts';
import { onAppInput, recordOnApp } from './on-app.ts';

type Deps = { db: Kysely<Database> };

const domainInput = onAppInput.extend({ domain: z.string() });
type DomainInput = z.output<typeof domainInput>;

export function addDomain(deps: Deps): AnyOperationDefinition {
  return defineOperation<DomainInput>({
    kind: 'app.domain-add',
    input: domainInput,
    title: ({ domain }) => `Adding ${domain}`,
    steps: () => [
      {
        key: 'add',
        title: 'Add the domain',
        run: async (context) => {
          await refuseMoreDomains(deps, context);
          await addDomains(context, context.input.longname, [domainName(context.input.domain)]);
          return undefined;
        },
      },
      {
        key: 'read',
        title: 'Read the app’s domains',
        run: async (context) => {
          const { appId, longname, domain } = context.input;
          const domains = await readWithDomain(context, longname, domainName(domain));
          await recordOnApp(deps.db, context, appId, { domains });
          await context.toast('ok', messages.domainAdded);
          return undefined;
        },
      },
    ],
    // Once more where Dokku wrote over another domain with it (`readWithDomain`).
    commands: ({ longname, domain }) => [
      { work: 'apps', command: addition(longname, [domainName(domain)]), onlyIf: null },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

/**
 * Operations on one app run one at a time, so no other operation adds a domain between this check and the
 * addition.
 */
async function refuseMoreDomains(deps: Deps, context: StepContext<DomainInput>): Promise<void> {
  const row = await findApp({ owner: context.owner, db: deps.db }, context.input.appId);
  if (row.domains.length < domainsPerApp || row.domains.includes(context.input.domain)) return;
  throw new ProblemError(
    'limit_reached',
    `This app has ${domainsPerApp} domains, which is the most for one app. Nothing was added; the app keeps its domains.`,
    { recovery: 'Remove a domain that the app no longer needs, then try again.' },
  );
}
