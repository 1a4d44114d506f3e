/** Whose share it is. */
export type ShareHolder =
  | 'rule'
  | 'job'
  | 'proxy'
  | 'account'
  | 'app'
  | 'network'
  | 'console'
  | 'session'
  | 'token'
  | 'visitor'
  | 'server'
  | 'connection'
  | 'site'
  | 'website'
  | 'destination'
  | 'page'
  | 'process';

/** How much of the console or of the proxy service somebody may take, so that something is left for everybody else. */
export type Share = {
  /** What is counted, as a plural noun. */
  what: string;
  number: number;
  unit?: 'bytes' | 'ms';
  /** One of these has the share for itself. */
  of: ShareHolder;
  /** The file that refuses what is beyond. */
  heldIn: string;
  /** What happens beyond: the answer, or what goes. */
  beyond: string;
  /** The test at the edge. */
  test: string;
  /** The setting that changes the number. */
  setting?: string;
};
