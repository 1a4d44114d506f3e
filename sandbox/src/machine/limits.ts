import type { App } from './state.ts';

/** The limits that Docker would enforce on a container: bytes and billionths of a CPU, 0 for no limit. */
export type ContainerLimits = { memory: number; nanoCpus: number };

/** The limits of `resource:limit`. Those of the process type win over the defaults. They hold for containers made from now on. */
export function limitsOf(app: App, type: string): ContainerLimits {
  const of = (key: string) =>
    app.limits[`${type}.limit.${key}`] ?? app.limits[`_default_.limit.${key}`] ?? '';
  return { memory: bytesOf(of('memory')), nanoCpus: Math.round(Number.parseFloat(of('cpu')) * 1e9) || 0 };
}

/** Reads Docker's sizes. Dokku reads a number without a unit as megabytes. */
export function bytesOf(size: string): number {
  const found = /^(\d+(?:\.\d+)?)([bkmg]?)$/i.exec(size);
  if (!found) return 0;
  const power = { b: 0, k: 1, m: 2, g: 3 }[(found[2] || 'm').toLowerCase()] ?? 2;
  return Math.round(Number(found[1]) * 1024 ** power);
}
