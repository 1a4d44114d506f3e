export { courseOf } from './fleet/course.ts';
export {
  type Fleet,
  type FleetOptions,
  type SimulatedServer,
  simulateFleet,
} from './fleet/simulate-fleet.ts';
export { createMonitor, type Monitor, type MonitorDeps } from './monitor.ts';
