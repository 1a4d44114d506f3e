import { leavingRecordsSchema } from '@homeport/contract/domains/schema';
import { messages } from '@homeport/contract/messages';
import { existingDomain } from '@homeport/dokku';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { orphanedStep, type RemoveOrphaned } from '../../domains/remove-orphaned.ts';
import { type AnyOperationDefinition, defineOperation } from '../../operations/definition.ts';
import { addDomains, dropDomain, readDomains } from './app-domains.ts';
import { awaitLeftovers } from './await-leftovers.ts';
import { onAppInput, recordOnApp } from './on-app.ts';

const domainInput = onAppInput.extend({ domain: z.string(), records: leavingRecordsSchema });
type Input = z.output<typeof domainInput>;

export function removeDomain({
  db,
  removeOrphaned,
}: {
  db: Kysely<Database>;
  removeOrphaned: RemoveOrphaned;
}): AnyOperationDefinition {
  return defineOperation<Input>({
    kind: 'app.domain-remove',
    input: domainInput,
    title: ({ domain }) => `Removing ${domain}`,
    steps: ({ appId, domain: name, records }) => [
      {
        key: 'remove',
        title: 'Remove the domain',
        run: async (context) => {
          const { longname, domain } = context.input;
          // A repeated step keeps the list of its first try. That try may have removed other domains too, and
          // a second list would miss them.
          if (!context.facts.before) await context.remember({ before: await readDomains(context, longname) });
          await dropDomain(context, longname, domain);
          return undefined;
        },
      },
      {
        key: 'read',
        title: 'Read the app’s domains',
        run: async (context) => {
          const { appId, longname, domain } = context.input;
          const before = z.array(z.string()).parse(context.facts.before);
          // In Dokku’s removal a dot stands for any character, so it may remove other domains too. Add those
          // again.
          const kept = before.filter((each) => each !== domain && !context.signal.aborted);
          const after = await readDomains(context, longname);
          const alsoGone = kept.filter((each) => !after.includes(each));
          if (alsoGone.length > 0) await addDomains(context, longname, alsoGone.map(existingDomain));
          await recordOnApp(db, context, appId, { domains: await readDomains(context, longname) });
          await context.toast('ok', messages.domainRemoved);
          return undefined;
        },
      },
      ...orphanedStep<Input>(removeOrphaned, records, { kind: 'app', id: appId, name }),
    ],
    beforeRepeat: awaitLeftovers,
  });
}
