/** A pattern that recheck cannot check, or calls slow, and that is safe all the same. */
export type ExcusedPattern = {
  /** The pattern as the source writes it, or `file: new RegExp(…)` where the source puts it together. */
  pattern: string;
  /** What bounds the text, and where. */
  bound: string;
  reason: string;
};

export const excusedPatterns: readonly ExcusedPattern[] = [
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source as it stands there
    pattern: "monitor/src/reports/skim.ts: new RegExp(`${entry}(?:,${entry}){0,39}(?=\\\\])`, 'y')",
    bound: 'A post of reports: 4 MiB after decompression (reportLimits in contract/src/stats/schema.ts).',
    reason:
      'The pattern is sticky, so that it is tried at one place only. Each part ends at a character that the part cannot hold, so that no text fits in two ways; 40 entries of 400 characters are the most that it reads.',
  },
];
