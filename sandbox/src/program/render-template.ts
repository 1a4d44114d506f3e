/** The loop of Homeport's plugin over the variables of a container, which prints one of them. */
const oneVariable =
  /\{\{range \.Config\.Env\}\}\{\{with split \. "="\}\}\{\{if eq \(index \. 0\) "(\w+)"\}\}\{\{json \(index \. 1\)\}\},\{\{end\}\}\{\{end\}\}\{\{end\}\}/g;

const variablesOf = (value: Record<string, unknown>) =>
  (at(value, ['Config', 'Env']) ?? []) as readonly string[];

/**
 * Renders the part of Go's templates that callers use: `.A.B`, `json .A`, `.Label "key"`, a label of an inspected container, one of
 * its variables, and `\t` as Docker reads it.
 */
export function render(format: string, value: Record<string, unknown>): string {
  return format
    .replaceAll('\\t', '\t')
    .replaceAll(oneVariable, (_all, name: string) =>
      variablesOf(value)
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => `${JSON.stringify(pair.split('=')[1])},`)
        .join(''),
    )
    .replaceAll(/\{\{json \(index \.Config\.Labels "([^"]*)"\)\}\}/g, (_all, key: string) =>
      JSON.stringify(at(value, ['Config', 'Labels', key]) ?? ''),
    )
    .replaceAll(/\{\{(?:(json) )?\.([\w.]*)(?: "([^"]*)")?\}\}/g, (_all, json, path, key) => {
      const found =
        path === 'Label' ? at(value, ['Labels', key]) : at(value, path === '' ? [] : path.split('.'));
      return json ? JSON.stringify(found) : String(found ?? '');
    });
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}
