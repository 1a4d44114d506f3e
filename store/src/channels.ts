import type { Change } from '@homeport/contract/live/schema';

/** What the services tell each other through the store: a channel's name and what a message on it holds (under 8 kB as JSON). */
export type Channels = {
  /** A record was added, changed or removed: whoever shows it reads it again. */
  changed: Change & { owner: string };
  /** An operation got a log line, a step or another state. */
  operation: { owner: string; operation: string };
  /** A report was stored for this monitor id. */
  report: { monitorId: string };
  /** A session is over: signed out, revoked or expired. */
  session: { ended: string };
};

export type Channel = keyof Channels;
export type Payload<C extends Channel> = Channels[C];
