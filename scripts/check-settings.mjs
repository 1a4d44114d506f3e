// The first look at the settings, with plain Node: nothing is installed yet. The console itself looks at each value again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

/**
 * One sentence for each `HOMEPORT_` variable that is no setting or has an unusable value. No sentence repeats a value, which may be
 * a secret.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {string[]}
 */
export function wrongSettings(env) {
  /** @type {Record<string, { least: number, most: number } | { words: string } | { pattern: string } | null>} */
  const rules = JSON.parse(readFileSync(join(root, 'homeport/settings.json'), 'utf8'));
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (!(name in rules))
      return /^HOMEPORT_(?!TEST_)/.test(name) ? [`${name} is not a setting of Homeport.`] : [];
    const wrong = value === '' ? null : wrongWith(value, rules[name] ?? null);
    return wrong === null ? [] : [`${name} ${wrong}.`];
  });
}

/**
 * @param {string} value
 * @param {{ least: number, most: number } | { words: string } | { pattern: string } | null} rule
 * @returns {string | null}
 */
function wrongWith(value, rule) {
  if (rule === null) return null;
  if ('words' in rule)
    return rule.words.split(' ').includes(value) ? null : `is not one of ${rule.words.replaceAll(' ', ', ')}`;
  if ('pattern' in rule)
    return new RegExp(rule.pattern, 'u').test(value) ? null : 'does not have the form of its values';
  const { least, most } = rule;
  const isNumber = Number.isInteger(Number(value)) && Number(value) >= least && Number(value) <= most;
  return isNumber ? null : `is not a whole number from ${least} to ${most}`;
}
