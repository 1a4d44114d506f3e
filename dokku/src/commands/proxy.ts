import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { readJson, reportSchema, reportValue } from '../output.ts';

export function report(app: AppName): Command {
  return dokku('proxy:report', app, '--format', 'json');
}

/** The program that serves the app’s domains (`nginx`). Null when the proxy is switched off. */
export function readType(outcome: Outcome): string | null {
  const report = readJson('proxy:report', outcome.stdout, reportSchema);
  if (reportValue(report, 'proxy', 'enabled') === 'false') return null;
  return reportValue(report, 'proxy', 'computed-type') || reportValue(report, 'proxy', 'type') || null;
}
