import { z } from 'zod';
import type { Verbs } from './verbs.ts';

// The side of a stand-in's process. `lend-process.ts` is the side of whoever started it.

const askedSchema = z.object({ id: z.int(), verb: z.string(), given: z.unknown() });

type Verb = (given: unknown) => unknown;

/** Checks what a verb is given, and does it. A verb that tells nothing tells null. */
export const verb =
  <Given extends z.ZodType>(
    { given: schema }: { given: Given },
    run: (given: z.output<Given>) => unknown,
  ): Verb =>
  (given) =>
    run(schema.parse(given));

/** Does what the starting process asks for until that process lets go or ends, however it ends. */
export function obey<Asked extends Verbs>(verbs: Record<keyof Asked & string, Verb>): void {
  const known = new Map<string, Verb>(Object.entries(verbs));
  process.on('message', (message) => {
    const { id, verb: name, given } = askedSchema.parse(message);
    answer(known.get(name), name, given).then(
      (told) => process.send?.({ id, told: told ?? null }),
      (error: unknown) => process.send?.({ id, wrong: String(error) }),
    );
  });
  process.once('disconnect', () => process.exit());
  process.send?.('ready');
}

async function answer(run: Verb | undefined, name: string, given: unknown): Promise<unknown> {
  if (!run) throw new Error(`The stand-in does not know "${name}".`);
  return run(given);
}
