import { leavingRecordsSchema } from '@homeport/contract/domains/schema';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { ChangeAddresses } from '../../domains/follow/change-addresses.ts';
import type { MakeWildcard } from '../../domains/wildcard.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
} from '../../operations/definition.ts';
import { findServer } from '../../records/server-record.ts';

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
      ...(wildcard && makeWildcard
        ? [
            {
              key: 'wildcard',
              title: 'Change the DNS record of its subdomain',
              percent: 10,
              run: async (context: StepContext<Input>) => makeWildcard(await serverOf(context)),
            },
          ]
        : []),
      ...(records.length > 0
        ? [
            {
              key: 'dns',
              title: records.length === 1 ? 'Change its DNS record' : 'Change its DNS records',
              percent: 40,
              run: async (context: StepContext<Input>) =>
                changeAddresses(context, { chosen: records, former, to: await serverOf(context) }),
            },
          ]
        : []),
    ],
  });
}
