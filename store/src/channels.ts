/** What the services tell each other through the store: a channel's name and what a message on it holds (under 8 kB as JSON). */
export type Channels = {
  /** A record was added, changed or removed: whoever shows it reads it again. */
  changed: { owner: string; kind: string; id: string };
  /** An operation got a log line, a step or another state. */
  operation: { owner: string; operation: string };
  /** A server's or an app's report was stored. */
  report: { monitorId: string };
};

export type Channel = keyof Channels;
export type Payload<C extends Channel> = Channels[C];
