import { failureOf, service } from '@homeport/dokku';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import type { StepContext } from '../../operations/definition.ts';
import type { CreationInput } from './creation-input.ts';
import { nameOf } from './on-database.ts';

type Context = Pick<
  StepContext<Pick<CreationInput, 'type' | 'longname'>>,
  'run' | 'input' | 'note' | 'remember' | 'result'
>;

/**
 * What a creation knows of a database that it left on its server. `tried`: it ran Dokku's command. `containerId`: the
 * container that it left; null: its end was too sudden to ask.
 */
export type Remains = { tried: boolean; containerId: string | null };

/** Reads the facts that a creation has stored. */
export function remainsOf(facts: unknown): Remains {
  const { createTried, remainsId } = factsSchema.parse(facts);
  return { tried: createTried, containerId: remainsId };
}

const factsSchema = z.object({
  createTried: z.boolean().default(false),
  remainsId: z.string().nullable().default(null),
});

/** Runs after a failed creation: stores which database it left, so that no other one is taken for it later. */
export async function recordRemains(
  context: Pick<Context, 'run' | 'input' | 'remember' | 'result'>,
): Promise<void> {
  const { type } = context.input;
  const ran = await context.run('apps', service.id(type, nameOf(context)), { accept: 'any', quiet: true });
  if (ran.exitCode === 0) await context.remember({ remainsId: service.readId(ran) });
  await context.result({ remains: failureOf(ran)?.code !== 'service_missing' });
}

/**
 * A creation that ended early blocks its name, and nobody can tell whether its database is whole. No person has seen it yet, so
 * it holds nobody’s data. Throws `conflict`, and removes nothing, if the database of that name is not the one that the creation
 * left, or an app uses it. Returns false if nothing is there.
 */
export async function removeRemains(
  context: Pick<Context, 'run' | 'input' | 'note'>,
  { tried, containerId }: Remains,
): Promise<boolean> {
  const name = nameOf(context);
  const { type } = context.input;
  const ask = (command: ReturnType<typeof service.id>) =>
    context.run('apps', command, { accept: 'any', quiet: true });
  if ((await ask(service.exists(type, name))).exitCode !== 0) return false;
  const found = service.readId(await ask(service.id(type, name)));
  if (!tried || (containerId !== null && found !== containerId))
    throw notOurs(
      `The database ${name} on the server is not what this creation left: somebody made it since.`,
    );
  const apps = service.readLinks(await ask(service.links(type, name)));
  if (apps.length > 0) throw notOurs(`The database ${name} on the server is linked to ${apps.join(', ')}.`);
  context.note('Removes what an earlier try of this creation left on the server.');
  await context.run('apps', service.destroy(type, name), { deadlineMs: 5 * 60_000 });
  return true;
}

const notOurs = (why: string) =>
  new ProblemError('conflict', `${why} Nothing was removed.`, {
    recovery:
      'Import this database from its server to work on it here. Create yours again: it gets another name.',
  });
