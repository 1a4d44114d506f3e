/**
 * One chosen step of `npm test`: the whole step, or its test files whose path contains one of the parts.
 *
 * @typedef {{ name: string, parts: string[] }} ChosenStep
 */

/**
 * Reads the value of `--only`: names of steps, separated by commas. A slash and a part of a path after a name select some of the
 * step's test files (`types`, `unit/api/src/apps`, `e2e/main-job`).
 *
 * @param {string} only
 * @param {readonly { name: string, takesParts: boolean }[]} steps in the order in which they run
 * @returns {ChosenStep[]} in the order of `steps`, each at most once
 * @throws {Error} with a sentence for the terminal when a name is unknown or a step has no parts
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
    // A part of a step does not narrow a step that is also chosen as a whole.
    if (parts === undefined) chosen.set(name, part === '' ? [] : [part]);
    else if (part === '') chosen.set(name, []);
    else if (parts.length > 0) parts.push(part);
  }
  return steps.flatMap(({ name }) => {
    const parts = chosen.get(name);
    return parts ? [{ name, parts }] : [];
  });
}
