import type { Change } from '@homeport/contract/live/schema';
import type { SiteRow } from './proxies/read-sites.ts';

/** The notifications that services send each other through the store: each channel's name and its message (under 8 kB as JSON). */
export type Channels = {
  /** A record was added, changed or removed. Pages that show the record read it again. */
  changed: Change & { owner: string };
  /** An operation got a log line, a step or a new state, or is to be cancelled by the process that runs it. */
  operation: { owner: string; operation: string; cancel?: true };
  /** Reports or checks were stored for these monitor ids. */
  reports: { monitorIds: readonly string[] };
  /** A session has ended: signed out, revoked or expired. */
  session: { ended: string };
  /** The data plane has a change to read: a proxy, or a name that no proxy has any more. A trigger sends it. */
  proxy: { version: number };
  /** How a proxy reads now: a change of its rules. `proxy` tells of the same change, and of every other one. */
  site: SiteRow;
  /** Cached answers have to go. A trigger sends it. */
  purge: { version: number };
  /** Something changed that stands on this status page. Triggers send it. */
  status_due: { page: string /** The transaction that changed it. */; tx: string };
  /**
   * The files of a status page changed. `gone`: it got another address, or is hidden or deleted. `at`: it was rendered then, and its files are
   * told by themselves. Triggers send it.
   */
  status_render: { page: string; gone?: true; at?: number };
  /** A migration ran. Consoles of an older program end. */
  schema: { number: number };
};

export type Channel = keyof Channels;
export type Payload<C extends Channel> = Channels[C];
