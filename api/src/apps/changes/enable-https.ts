import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import { type AnyOperationDefinition, defineOperation } from '../../operations/definition.ts';
import { getCertificate, scheduleRenewal, setAuthorityEmail } from './app-https.ts';
import { awaitLeftovers } from './await-leftovers.ts';
import { onAppInput } from './on-app.ts';

const httpsInput = onAppInput.extend({ email: z.string() });

export function enableHttps({ db }: { db: Kysely<Database> }): AnyOperationDefinition {
  return defineOperation<z.output<typeof httpsInput>>({
    kind: 'app.https',
    input: httpsInput,
    title: () => 'Enabling HTTPS',
    steps: () => [
      {
        key: 'email',
        title: 'Set the e-mail for the certificate authority',
        run: async (context) => {
          await setAuthorityEmail(context, context.input, context.input.email);
          return undefined;
        },
      },
      {
        key: 'enable',
        title: 'Get the certificate',
        run: async (context) => {
          const { note, ...got } = await getCertificate(db, context, context.input);
          if (got.issued) return note === null ? undefined : { note };
          const { code, message, details } = got.refused;
          throw new ProblemError(code, [message, note ?? ''].join(' ').trimEnd(), details);
        },
      },
      { key: 'renewal', title: 'Renew it by itself', run: scheduleRenewal },
    ],
    beforeRepeat: awaitLeftovers,
  });
}
