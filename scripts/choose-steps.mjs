/**
 * One step of `npm test` as somebody chose it: the whole step, or the test files of it whose path contains one of the parts.
 *
 * @typedef {{ name: string, parts: string[] }} ChosenStep
 */

/**
 * Reads what stands after `--only`: names of steps, separated by commas, each with a part of a path behind a slash where
 * only some of its test files are wanted (`types`, `unit/api/src/apps`, `e2e/main-job`).
 *
 * @param {string} only
 * @param {readonly { name: string, takesParts: boolean }[]} steps in the order in which they run
 * @returns {ChosenStep[]} in the order of `steps`, each at most once
 * @throws {Error} with a sentence for the terminal where a name is unknown or a step has no parts
 */
export function chooseSteps(only, steps) {
  /** @type {Map<string, string[]>} */
  const chosen = new Map();
  for (const word of only.split(',')) {
    const slash = word.indexOf('/');
    const name = slash < 0 ? word : word.slice(0, slash);
    const part = slash < 0 ? '' : word.slice(slash + 1);
    const step = steps.find((each) => each.name === name);
    if (!step) throw new Error(`There is no step "${name}".`);
    if (part !== '' && !step.takesParts) throw new Error(`The step "${name}" runs as a whole.`);
    const parts = chosen.get(name);
    // The whole step, asked for once, is not made smaller by a part of the same step.
    if (parts === undefined) chosen.set(name, part === '' ? [] : [part]);
    else if (part === '') chosen.set(name, []);
    else if (parts.length > 0) parts.push(part);
  }
  return steps.flatMap(({ name }) => {
    const parts = chosen.get(name);
    return parts ? [{ name, parts }] : [];
  });
}
