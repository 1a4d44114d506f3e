import { monitorRoutes, type Report } from '@homeport/contract/stats/schema';
import { quickCheck } from './quick-check.ts';
import { skimProcesses } from './skim.ts';

const reportsSchema = monitorRoutes['POST /api/v2/report'].body;
const isReports = quickCheck(reportsSchema);

/** A longer report may hold anything beside its stats, so only its shown fields are stored. */
const storedAsSent = 16_384;

export type ReadReports =
  | {
      reports: Report[];
      /** The text of the one report, if it can be stored unchanged. Its processes may then stand in the text only. */
      reportJson: string | null;
    }
  | { refusal: string };

/** Takes and refuses the same reports as the contract's schema, with the schema's reasons. */
export function readReports(text: string): ReadReports {
  const storable = text.length <= storedAsSent;
  const skimmed = storable ? skimProcesses(text) : null;
  const quick = skimmed === null ? undefined : parseJson(skimmed);
  if (isOneReport(quick)) return { reports: quick, reportJson: onlyElement(text) };
  const json = parseJson(text);
  let reports: Report[];
  if (isReports(json)) {
    reports = json as Report[];
  } else {
    const parsed = reportsSchema.safeParse(json);
    if (!parsed.success) return { refusal: firstIssue(parsed.error.issues) };
    reports = parsed.data;
  }
  return { reports, reportJson: storable && reports.length === 1 ? onlyElement(text) : null };
}

function isOneReport(json: unknown): json is Report[] {
  return Array.isArray(json) && json.length === 1 && isReports(json);
}

/** The text of the one element of a JSON array. */
function onlyElement(array: string): string {
  return array.slice(array.indexOf('[') + 1, array.lastIndexOf(']'));
}

/** Undefined for text that is no JSON, because no schema takes undefined. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function firstIssue(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const [issue] = issues;
  return issue ? `${issue.path.map(String).join('.') || 'body'}: ${issue.message}` : 'This is not a report.';
}
