export { embeddedAddress } from './embedded-address.ts';
export { everyNetwork } from './exceptions.ts';
export { createGate, type Gate, type GateSettings, type ResolveAll } from './gate.ts';
export { loginPorts, websitePorts } from './judge.ts';
export { createOwnAddresses } from './own-addresses.ts';
export { type Refusal, RefusedDestination } from './refusal.ts';
