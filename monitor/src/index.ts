export { createMonitor, type Monitor, type MonitorDeps } from './monitor.ts';
