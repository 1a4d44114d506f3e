import type { Owner } from '@homeport/store';
import type { FarEnd, FarEndOptions } from './far-end.ts';

/** Whether a person may have a terminal, and whether work goes on that will end it. */
export type Look = 'forbidden' | 'calm' | 'replacing';

/** Where a terminal goes: a container of an app, or a server itself. */
export type TerminalPlace = {
  /** Throws `not_found` where the person has no such place. */
  look(): Promise<Look>;
  /** Refuses what is not allowed, and throws `connection_required` without a connection of the place's account. */
  reach(): Promise<ReachedPlace>;
};

export type ReachedPlace = {
  owner: Owner;
  serverId: string;
  /** For the event. */
  where: string;
  /** Throws where the right is gone, as the last thing before the server hears of the terminal. */
  requireRight(): Promise<void>;
  open(options: FarEndOptions): Promise<FarEnd>;
};
