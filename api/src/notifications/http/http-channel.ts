import type { Gate } from '@homeport/egress';
import type { Sealer } from '../../sealing/sealer.ts';

/** What every channel over HTTP needs. */
export type HttpChannelDeps = {
  sealer: Sealer;
  /** The one way out: people choose the addresses. */
  gate: Gate;
  /** The console's origin, for links. */
  origin: string;
  /** Epoch milliseconds. */
  clock: () => number;
};
