import type { z } from 'zod';
import { destinationPlace, SealBroken, type Sealer } from '../../sealing/sealer.ts';
import type { Delivered, Outgoing } from '../channel.ts';

/** Opens the target of a destination for one try. */
export async function withTarget<S extends z.ZodType>(
  sealer: Sealer,
  { id, ownerId, sealed }: Outgoing['destination'],
  schema: S,
  deliver: (target: z.output<S>) => Promise<Delivered>,
): Promise<Delivered> {
  if (sealed === null) return { outcome: 'broken', answer: 'The destination has no target.' };
  let target: z.output<S>;
  try {
    target = await sealer.open(destinationPlace(ownerId, id), sealed, (bytes) =>
      schema.parse(JSON.parse(bytes.toString('utf8'))),
    );
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return {
      outcome: 'broken',
      answer: 'The target was sealed with a secret that this console does not have. Replace it.',
    };
  }
  return deliver(target);
}
