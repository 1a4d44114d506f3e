import { parseAst } from 'rolldown/parseAst';

export type FoundFunction = {
  /** The function’s own name, or the name of the variable, property or call that takes the function. */
  name: string;
  /** `file:line` where the function begins. */
  place: string;
  /** From its first line to its last one, with the parameters, comments and empty lines. */
  lines: number;
  /** Calls of useState and useReducer, and refs that the function assigns. A ref that only React fills is no state. */
  stateCount: number;
};

/** Every function of a source file, inner ones too, and the places where the file writes SQL. */
export function readSource(file: string, text: string): { functions: FoundFunction[]; queries: string[] } {
  const functions: FoundFunction[] = [];
  const queries: string[] = [];
  const lineOf = countLines(text);
  const wordOf = (node: unknown) => (isNode(node) ? text.slice(node.start, node.end) : '');
  /** The state of each function around the node that is looked at. */
  const around: Set<string>[] = [];

  const look = (node: unknown, givenTo: string): void => {
    if (Array.isArray(node)) {
      for (const each of node) look(each, givenTo);
      return;
    }
    if (!isNode(node)) return;
    if (isQuery(node, wordOf)) queries.push(`${file}:${lineOf(node.start)}`);
    const state = stateIn(node, wordOf);
    if (state !== null) for (const each of around) each.add(state);
    const name = wordOf(node.id) || wordOf(node.key) || wordOf(node.callee) || givenTo;
    if (!functionTypes.has(node.type)) {
      for (const child of Object.values(node)) look(child, name);
      return;
    }
    const lines = lineOf(node.end) - lineOf(node.start) + 1;
    const found = { name, place: `${file}:${lineOf(node.start)}`, lines, stateCount: 0 };
    functions.push(found);
    const own = new Set<string>();
    around.push(own);
    for (const child of Object.values(node)) look(child, name);
    around.pop();
    found.stateCount = own.size;
  };
  look(parseAst(text, { lang: languageOf(file) }).body, '');
  return { functions, queries };
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

function isNode(value: unknown): value is Node {
  if (typeof value !== 'object' || value === null) return false;
  return 'type' in value && typeof value.type === 'string' && 'start' in value && 'end' in value;
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const queryBuilders = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto']);

/** One of Kysely’s builders, or its template sql`…`. */
function isQuery(node: Node, wordOf: (node: unknown) => string): boolean {
  if (node.type === 'TaggedTemplateExpression') return wordOf(node.tag).split('.')[0] === 'sql';
  return node.type === 'MemberExpression' && queryBuilders.has(wordOf(node.property));
}

/** An id for the piece of state: the place of its hook, or the name of the assigned ref. A ref counts once. */
function stateIn(node: Node, wordOf: (node: unknown) => string): string | null {
  if (node.type === 'CallExpression') {
    const hook = wordOf(node.callee).replace('React.', '');
    return hook === 'useState' || hook === 'useReducer' ? `${hook} at ${node.start}` : null;
  }
  if (node.type !== 'AssignmentExpression') return null;
  const assigned = wordOf(node.left);
  return assigned.endsWith('.current') ? assigned : null;
}

/** Maps an offset in the text to its line. */
function countLines(text: string): (offset: number) => number {
  const lines = new Uint32Array(text.length + 1);
  for (let at = 0, line = 1; at <= text.length; at += 1) {
    lines[at] = line;
    if (text[at] === '\n') line += 1;
  }
  return (offset) => lines[offset] ?? 0;
}

function languageOf(file: string): 'ts' | 'tsx' | 'jsx' {
  if (file.endsWith('.tsx')) return 'tsx';
  return file.endsWith('ts') ? 'ts' : 'jsx';
}
