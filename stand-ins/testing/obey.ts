import { z } from 'zod';

// The side of a stand-in's process. `run-process.ts` is the side of whoever started it.

const askedSchema = z.object({ id: z.int(), verb: z.string(), given: z.unknown() });

/** Checks what it is given, and does it. */
export type Verb = (given: unknown) => unknown;

export const verb =
  <Schema extends z.ZodType>(schema: Schema, run: (given: z.output<Schema>) => unknown): Verb =>
  (given) =>
    run(schema.parse(given));

/**
 * Tells the starting process that the stand-in answers, and does what that process asks for until it lets go.
 *
 * @param end called then, also when the starting process was killed
 */
export function obey(
  verbs: Readonly<Record<string, Verb>>,
  report: Readonly<Record<string, unknown>>,
  end: () => PromiseLike<void>,
): void {
  process.on('message', (message) => {
    const { id, verb: name, given } = askedSchema.parse(message);
    try {
      const run = verbs[name];
      if (!run) throw new Error(`The stand-in does not know "${name}".`);
      process.send?.({ id, told: run(given) ?? null });
    } catch (error) {
      process.send?.({ id, wrong: String(error) });
    }
  });
  process.once('disconnect', () => void end().then(() => process.exit()));
  process.send?.(report);
}
