import type { Plan } from '@homeport/contract/apps/plans';
import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { readJson, reportSchema } from '../output.ts';

/**
 * Limits take effect only in new containers, so `ps.restart` has to follow. Dokku checks nothing; more CPUs than the host has
 * break the next deploy (`too_many_cpus`).
 */
export function limit(app: AppName, plan: Pick<Plan, 'memoryMb' | 'cpus'>): Command {
  return dokku('resource:limit', '--memory', String(plan.memoryMb), '--cpu', String(plan.cpus), app);
}

/** Reads the whole report, because the form for a single key fails on an unset key. */
export function report(app: AppName): Command {
  return dokku('resource:report', app, '--format', 'json');
}

/** The default limits. Null for a limit that is unset or no plain number. */
export type Limits = { readonly memoryMb: number | null; readonly cpus: number | null };

export function readReport(outcome: Outcome): Limits {
  const report = readJson('resource:report', outcome.stdout, reportSchema);
  return { memoryMb: numberAt(report, 'memory'), cpus: numberAt(report, 'cpu') };
}

function numberAt(report: Record<string, string>, key: string): number | null {
  const value = report[`_default_.limit.${key}`] ?? report[`resource-_default_.limit.${key}`] ?? '';
  return /^\d+(\.\d+)?m?$/.test(value) ? Number.parseFloat(value) : null;
}
