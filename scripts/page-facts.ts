import { parseAst } from 'rolldown/parseAst';

/** What both ends must take from the contract. */
export type Facts = {
  /** Texts that both ends must spell alike, such as a subprotocol. */
  names: Set<string>;
  /** Closed lists, such as the final states of an operation. */
  lists: string[][];
  /** Numbers that nobody writes by chance. */
  limits: Set<number>;
};

/** Numbers that convert a unit or are round: the same number elsewhere says nothing. */
const common: ReadonlySet<number> = new Set([
  1_000, 1_024, 3_600, 5_000, 10_000, 30_000, 60_000, 100_000, 3_600_000, 86_400_000, 1_048_576,
]);
/** Smaller numbers stand for too many things. A number that bounds what a person types is found whatever its size. */
const leastTelling = 1_000;

/** The facts among the values that modules export. */
export function factsOf(values: Iterable<unknown>): Facts {
  const facts: Facts = { names: new Set(), lists: [], limits: new Set() };
  const take = (value: unknown) => {
    if (typeof value === 'number' && value >= leastTelling && !common.has(value)) facts.limits.add(value);
  };
  for (const value of values) {
    if (typeof value === 'string') facts.names.add(value);
    else if (Array.isArray(value)) {
      if (value.length > 1 && value.every((each) => typeof each === 'string')) facts.lists.push(value);
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(take);
    else take(value);
  }
  return facts;
}

/** The places of a source that write a fact of its own, each as `line: what`. */
export function ownFacts(text: string, lang: 'ts' | 'tsx', facts: Facts): string[] {
  const found: string[] = [];
  visit(parseAst(text, { lang }), (node) => {
    const say = (what: string) => found.push(`${text.slice(0, node.start).split('\n').length}: ${what}`);
    const name = textOf(node);
    if (name !== undefined && facts.names.has(name)) say(`the name ${name}`);
    const number = numberOf(node);
    if (number !== undefined && facts.limits.has(number)) say(`the number ${number}`);
    const bound = boundOf(node);
    if (bound !== undefined) say(`${bound} with a number`);
    if (isQueryKey(node)) say('a query key');
    const members = membersOf(node);
    if (members && facts.lists.some((list) => covers(members, list))) say(`the list ${members.join(', ')}`);
  });
  return found;
}

/** A list of the contract in whole, or the larger part of it and at least three of its members. */
function covers(members: readonly string[], list: readonly string[]): boolean {
  const own = new Set(members);
  const isPart = members.every((each) => list.includes(each));
  return isPart && (own.size === list.length || (own.size >= 3 && own.size * 2 > list.length));
}

type Node = { type: string; start: number; [field: string]: unknown };

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The node at a path of fields, where there is one. */
function at(node: unknown, ...path: readonly string[]): Node | undefined {
  let here: unknown = node;
  for (const field of path) here = isNode(here) ? here[field] : undefined;
  return isNode(here) ? here : undefined;
}

const nodes = (node: Node, field: string): unknown[] => {
  const list = node[field];
  return Array.isArray(list) ? list : [];
};

/** Calls `see` for every node. A product is one number: its factors are not seen. */
function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) visit(each, see);
  if (!isNode(value)) return;
  see(value);
  if (value.type === 'BinaryExpression' && numberOf(value) !== undefined) return;
  for (const child of Object.values(value)) visit(child, see);
}

/** The texts of an array, of a union of literal types, or of `x === 'a' || x === 'b'`. */
function membersOf(node: Node): string[] | undefined {
  if (node.type === 'ArrayExpression') return allTexts(nodes(node, 'elements'));
  if (node.type === 'TSUnionType') return allTexts(nodes(node, 'types').map((each) => at(each, 'literal')));
  return node.type === 'LogicalExpression' ? allTexts(compared(node)) : undefined;
}

/** The right sides of a chain of comparisons; undefined for each part of it that is something else. */
function compared(node: Node | undefined): (Node | undefined)[] {
  if (node?.type === 'LogicalExpression' && node.operator === '||')
    return [...compared(at(node, 'left')), ...compared(at(node, 'right'))];
  return [node?.type === 'BinaryExpression' && node.operator === '===' ? at(node, 'right') : undefined];
}

function allTexts(list: readonly unknown[]): string[] | undefined {
  const texts = list.flatMap((each) => (isNode(each) ? (textOf(each) ?? []) : []));
  return texts.length > 1 && texts.length === list.length ? texts : undefined;
}

/** The name of what bounds: the attribute `maxLength={80}`, or `.max` of `z.string().max(80)`. 100 ends a percentage. */
function boundOf(node: Node): string | undefined {
  if (node.type === 'JSXAttribute') {
    const name = String(at(node, 'name')?.name);
    const number = numberOf(at(node, 'value', 'expression'));
    const isBound = ['maxLength', 'minLength', 'max', 'min'].includes(name);
    return isBound && number !== undefined && number > 1 && number !== 100 ? name : undefined;
  }
  if (node.type !== 'CallExpression' || at(node, 'callee', 'object')?.name === 'Math') return undefined;
  const name = String(at(node, 'callee', 'property')?.name);
  const number = numberOf(nodes(node, 'arguments')[0]);
  return ['max', 'min', 'length'].includes(name) && number !== undefined && number > 1
    ? `.${name}`
    : undefined;
}

/** `queryKey: ['apps']`: a notification names the same word, so both take it from one place. */
function isQueryKey(node: Node): boolean {
  const [name, value] =
    node.type === 'VariableDeclarator'
      ? [at(node, 'id'), at(node, 'init')]
      : [at(node, 'key'), at(node, 'value')];
  if (name?.name !== 'queryKey' || value?.type !== 'ArrayExpression') return false;
  const [first] = nodes(value, 'elements');
  return isNode(first) && textOf(first) !== undefined;
}

function textOf(node: Node): string | undefined {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

/** The value of a number, also as `5 * 60_000`. */
function numberOf(node: unknown): number | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal') return typeof node.value === 'number' ? node.value : undefined;
  if (node.type !== 'BinaryExpression' || node.operator !== '*') return undefined;
  const [left, right] = [numberOf(node.left), numberOf(node.right)];
  return left === undefined || right === undefined ? undefined : left * right;
}
