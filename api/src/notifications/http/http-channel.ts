import type { Gate } from '@homeport/egress';
import type { Sealer } from '../../sealing/sealer.ts';
import type { Tries } from '../channel.ts';

/** Services that answer at one address each. */
const services = {
  slack: 'https://hooks.slack.com',
  discord: 'https://discord.com',
  telegram: 'https://api.telegram.org',
  pushover: 'https://api.pushover.net',
  pagerduty: 'https://events.pagerduty.com',
  pagerdutyEu: 'https://events.eu.pagerduty.com',
} as const;

/** Where a service answers. Tests put a stand-in there. */
export type ServiceAddress = (service: keyof typeof services) => string;

export const serviceAddress: ServiceAddress = (service) => services[service];

const minute = 60_000;
const hour = 60 * minute;

/** For services where people read: for about seven hours, because older news is no news. */
export const chatTries: Tries = {
  again: [10_000, minute, 5 * minute, 15 * minute, 30 * minute, hour, hour, hour, hour, hour, hour],
  spread: 0.2,
};

/** What every channel over HTTP needs. */
export type HttpChannelDeps = {
  sealer: Sealer;
  /** The one way out: people choose the addresses. */
  gate: Gate;
  addressOf: ServiceAddress;
  /** The console's origin, for links. */
  origin: string;
  /** Epoch milliseconds. */
  clock: () => number;
};
