import type { Ceilings } from '@homeport/contract/limits';
import type { Store } from '@homeport/store';
import type { FrontDoor } from '../records/proxy-record.ts';

export type ProxyDeps = {
  store: Pick<Store, 'read' | 'transact'>;
  ceilings: Pick<Ceilings, 'proxies'>;
  door: FrontDoor;
  /** The TXT records of a name; empty where it has none or DNS does not answer in time. */
  readTxt: (name: string) => Promise<readonly string[]>;
  /** Epoch milliseconds. */
  clock: () => number;
};
