import { domainName } from '@homeport/dokku';
import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import type { Step, StepContext, StepOutcome } from '../../operations/definition.ts';
import { addDomains, readWithDomain } from './app-domains.ts';
import { recordOnApp } from './on-app.ts';

/** A domain of the person's own. `seen`: the records to replace at its name; absent: DNS stays as it is. */
export const ownDomainInput = z.object({ domain: z.string(), seen: z.array(z.string()).optional() });
type OwnDomain = z.output<typeof ownDomainInput>;

export type AtCloudflare = {
  /** Makes the domain lead to the app's server, as `POST /api/apps/:id/dns` does. */
  pointAtApp: (
    owner: Owner,
    appId: string,
    wanted: { domain: string; seen: readonly string[] },
  ) => Promise<unknown>;
};

type Deps = AtCloudflare & { store: { db: Kysely<Database> } };

/**
 * The steps that give a new app a domain of the person's own. As on the app's page, the record comes first, and where Cloudflare
 * refuses it, the app does not get the domain: a certificate for a name that leads elsewhere fails for all names. What fails is a
 * warning, because the app is there and its page adds the domain later.
 */
export function ownDomainSteps<Input extends { longname: string }>(
  { store: { db }, pointAtApp }: Deps,
  { domain: name, seen }: OwnDomain,
  appIdOf: (context: StepContext<Input>) => string,
): Step<Input>[] {
  const later = `The app is there, and its page adds ${name} later.`;
  const add: Step<Input> = {
    key: 'own-domain',
    title: `Add ${name}`,
    run: async (context) => {
      if (context.facts.unpointed === true) return { state: 'skipped', note: later };
      const problem = await orProblem(() => addTo(context), isOfServer);
      if (problem !== null)
        return { state: 'warned', note: `${name} was not added: ${problem.message} ${later}` };
      return undefined;
    },
  };
  if (seen === undefined) return [add];
  return [{ key: 'own-record', title: `Point ${name} at the server`, run: point }, add];

  async function addTo(context: StepContext<Input>): Promise<void> {
    const { longname } = context.input;
    await addDomains(context, longname, [domainName(name)]);
    const domains = await readWithDomain(context, longname, domainName(name));
    await recordOnApp(db, context, appIdOf(context), { domains });
  }

  async function point(context: StepContext<Input>): Promise<StepOutcome> {
    const wanted = { domain: name, seen: seen ?? [] };
    const problem = await orProblem(() => pointAtApp(context.owner, appIdOf(context), wanted));
    if (problem === null) return { note: 'Its record stands at Cloudflare.' };
    await context.remember({ unpointed: true });
    return { state: 'warned', note: `${problem.message} ${later}` };
  }
}

/** What the server's Dokku refused. Other failures, such as a lost connection, have the step run again. */
const isOfServer = ({ code }: ProblemError) => code === 'remote_failed';

async function orProblem(
  act: () => Promise<unknown>,
  isWarning: (problem: ProblemError) => boolean = () => true,
): Promise<ProblemError | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof ProblemError && isWarning(error)) return error;
    throw error;
  }
}
