import {
  compileSite,
  explainUrl,
  type ProxyDefinition,
  problemText,
  type UrlExplanation,
  warningText,
} from '@homeport/rules';

/** The explanation of a URL in words, or what is wrong with the rules. */
export type Explained =
  | { kind: 'wrong-rules'; problems: readonly string[] }
  | { kind: 'explained'; explanation: UrlExplanation; warnings: readonly string[] };

/** This module brings the rules with their pattern library, so it is loaded when somebody tests a URL. */
export function explain(definition: ProxyDefinition, url: string): Explained {
  const compiled = compileSite(definition);
  if ('problems' in compiled)
    return { kind: 'wrong-rules', problems: compiled.problems.map(({ code }) => problemText(code)) };
  const explanation = explainUrl(compiled.site, definition, url);
  const warnings = explanation.kind === 'taken' ? explanation.warnings.map(warningText) : [];
  return { kind: 'explained', explanation, warnings };
}
