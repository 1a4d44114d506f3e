import { type SiteValues, siteValuesOf } from '../app-state/site-values.ts';
import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { linesOf, oneLine, UnreadableOutputError } from '../output.ts';

/** As text: Dokku before 0.38 has no JSON of this report. */
export function report(app: AppName): Command {
  return dokku('nginx:report', app);
}

/** @throws UnreadableOutputError */
export function readReport(outcome: Outcome): SiteValues {
  const values = valuesIn(outcome);
  return siteValuesOf(
    (property) => {
      const own = values.get(labelOf(property));
      if (own === undefined) throw new UnreadableOutputError('nginx:report', outcome.stdout);
      return own;
    },
    (property) => values.get(`global ${labelOf(property)}`) ?? '',
  );
}

/** By the label of the report, without its first word. */
const valuesIn = ({ stdout }: Outcome): ReadonlyMap<string, string> =>
  new Map(
    linesOf(stdout).flatMap((line) => {
      const at = line.indexOf(':');
      const label = line.slice(0, at).trim();
      return at < 0 || !label.startsWith('Nginx ')
        ? []
        : [[label.slice('Nginx '.length), line.slice(at + 1).trim()] as const];
    }),
  );

const labelOf = (property: string) => property.replaceAll('-', ' ');

/** What nginx says of a configuration that it refuses: the first reason, on one line. Null: it said none. */
export function readRefusal({ stdout, stderr }: Outcome): string | null {
  const line = [...linesOf(stderr), ...linesOf(stdout)].find((each) => each.includes('[emerg]'));
  if (line === undefined) return null;
  // Behind the time and the ids of the process: `[emerg] 16571#16571: `.
  const text = line.slice(line.indexOf('[emerg]'));
  return oneLine(text.slice(text.indexOf(': ') + 2), refusalCharacters);
}

/** The app whose files nginx names in such a reason; null: it names none. */
export function refusedApp(reason: string): string | null {
  return (
    / in \/[^ ]*\/([a-z0-9][a-z0-9._-]{0,127})\/nginx\.conf(?:\.d\/[^ /]{1,100})?:\d{1,9}$/.exec(
      reason,
    )?.[1] ?? null
  );
}

const refusalCharacters = 300;
