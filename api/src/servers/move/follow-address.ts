import { hasOwnWildcard } from '@homeport/contract/apps/default-domain';
import { leavingRecordsSchema } from '@homeport/contract/domains/schema';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { ChangeAddresses } from '../../domains/follow/change-addresses.ts';
import type { MakeWildcard } from '../../domains/wildcard.ts';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { findServer, type ServerRow } from '../../records/server-record.ts';

type Deps = {
  db: Kysely<Database>;
  makeWildcard: MakeWildcard | null;
  changeAddresses: ChangeAddresses;
};

const input = z.object({
  serverId: z.uuid(),
  /** The server's address changed, or the name that it claimed. */
  wildcard: z.boolean(),
  records: leavingRecordsSchema,
  /** The addresses to which the records led until the change. */
  former: z.array(z.string()),
});
type Input = z.output<typeof input>;

/** Leads DNS to the address that a server got: the record of its subdomain, and the records that the person chose. */
export function followAddress({ db, makeWildcard, changeAddresses }: Deps): AnyOperationDefinition {
  const serverOf = ({ owner, input: { serverId } }: StepContext<Input>) =>
    findServer({ owner, db }, serverId);
  return defineOperation<Input>({
    kind: 'server.follow-address',
    input,
    title: () => 'DNS of the new address',
    steps: ({ wildcard, records, former }) => [
      ...(records.length > 0
        ? [
            {
              key: 'dns',
              title: records.length === 1 ? 'Change its DNS record' : 'Change its DNS records',
              percent: 10,
              run: async (context: StepContext<Input>) =>
                changeAddresses(context, { chosen: records, former, to: await serverOf(context) }),
            },
          ]
        : []),
      // Last, because it may fail, and the chosen records do not wait for it.
      ...(wildcard && makeWildcard
        ? [
            {
              key: 'wildcard',
              title: 'Change the DNS record of its subdomain',
              percent: 70,
              run: async (context: StepContext<Input>) =>
                followWildcard(makeWildcard, await serverOf(context)),
            },
          ]
        : []),
    ],
  });
}

/**
 * Fails where the record stays with the earlier address: nobody but this operation changes it, so the person may run it again. A server that
 * is not set up has a record only if an installation got that far, and gets none here.
 */
async function followWildcard(makeWildcard: MakeWildcard, server: ServerRow): Promise<StepOutcome> {
  const result = await makeWildcard(server, server.setup === 'ready' ? 'make' : 'follow');
  if (result.state === 'warned' && hasOwnWildcard(server)) throw new ProblemError('unavailable', result.note);
  return result;
}
