import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { readJson, reportSchema, reportValue } from '../output.ts';

export function report(app: AppName): Command {
  return dokku('checks:report', app, '--format', 'json');
}

export type ChecksReport = {
  /** Process types that are stopped before the new ones start (downtime); `_all_` stands for all. */
  readonly disabled: readonly string[];
  readonly skipped: readonly string[];
  readonly waitToRetireSeconds: number;
};

export function readReport(outcome: Outcome): ChecksReport {
  const report = readJson('checks:report', outcome.stdout, reportSchema);
  const words = (key: string) =>
    reportValue(report, 'checks', key)
      .split(',')
      .filter((word) => word !== '' && word !== 'none');
  return {
    disabled: words('disabled-list'),
    skipped: words('skipped-list'),
    waitToRetireSeconds: Number(reportValue(report, 'checks', 'computed-wait-to-retire')) || 60,
  };
}
