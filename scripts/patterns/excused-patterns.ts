/** A safe pattern that recheck cannot check, or calls slow. */
export type ExcusedPattern = {
  /** The pattern as the source writes it, or `file: new RegExp(…)` where the source puts it together. */
  pattern: string;
  /** The bound of the text, and the place that enforces it. */
  bound: string;
  reason: string;
};

export const excusedPatterns: readonly ExcusedPattern[] = [
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the text of the source
    pattern: "monitor/src/reports/skim.ts: new RegExp(`${entry}(?:,${entry}){0,39}(?=\\\\])`, 'y')",
    bound: 'A post of reports: 1 MiB after decompression (reportLimits in contract/src/stats/facts.ts).',
    reason:
      'The pattern is sticky, so it is tried at one place only. Each part ends at a character that the part cannot hold, so no text fits in two ways. The pattern reads at most 40 entries of 400 characters.',
  },
];
