export { type Fleet, type FleetOptions, simulateFleet } from './fleet/simulate-fleet.ts';
export { createMonitor, type Monitor, type MonitorDeps } from './monitor.ts';
