import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { readJson, reportSchema, reportValue } from '../output.ts';

export function report(app: AppName): Command {
  return dokku('ports:report', app, '--format', 'json');
}

export type PortMapping = {
  readonly scheme: 'http' | 'https';
  readonly hostPort: number;
  readonly containerPort: number;
};

/** The mapping in force: the one that was set, or else the one that Dokku found in the image. */
export function readReport(outcome: Outcome): PortMapping[] {
  const report = readJson('ports:report', outcome.stdout, reportSchema);
  const map = reportValue(report, 'ports', 'map') || reportValue(report, 'ports', 'map-detected');
  return map.split(' ').flatMap((word) => {
    const found = /^(https?):(\d+):(\d+)$/.exec(word);
    if (!found) return [];
    return [
      {
        scheme: found[1] === 'https' ? 'https' : 'http',
        hostPort: Number(found[2]),
        containerPort: Number(found[3]),
      },
    ];
  });
}
