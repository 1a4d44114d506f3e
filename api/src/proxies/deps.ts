import type { Ceilings } from '@homeport/contract/limits';
import type { Store } from '@homeport/store';
import type { FrontDoor } from '../records/proxy-record.ts';
import type { PlaneAddress } from './ask-plane.ts';
import type { ProxyPace } from './proxy-pace.ts';
import type { RuleWork } from './rule-worker/rule-work.ts';

export type ProxyDeps = {
  store: Pick<Store, 'db' | 'read' | 'transact'>;
  ceilings: Pick<Ceilings, 'proxies'>;
  door: FrontDoor;
  plane: PlaneAddress;
  pace: ProxyPace;
  /** Where patterns and pages of people are read. */
  work: Pick<RuleWork, 'run'>;
  /** The TXT records of a name; empty where it has none or DNS does not answer in time. */
  readTxt: (name: string) => Promise<readonly string[]>;
  /** Epoch milliseconds. */
  clock: () => number;
};
