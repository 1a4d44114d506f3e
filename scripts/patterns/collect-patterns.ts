import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { z } from 'zod';
import { root } from '../install.mjs';

export type Pattern = { source: string; flags: string; places: string[] };
export type SourcePatterns = {
  patterns: readonly Pattern[];
  /** Each `new RegExp(…)` on text that the source puts together, as `file: expression`. No test can check such a pattern. */
  built: readonly string[];
};

/** Every regular expression that the program can run: its literals, and zod’s own patterns behind `z.email()` and the like. */
export function collectPatterns(): SourcePatterns {
  const patterns = new Map<string, Pattern>();
  const built: string[] = [];
  const add = ({ source, flags }: RegExp, place: string) => {
    const key = `/${source}/${flags}`;
    const known = patterns.get(key) ?? { source, flags, places: [] };
    known.places.push(place);
    patterns.set(key, known);
  };
  for (const file of programFiles()) {
    const text = readFileSync(join(root, file), 'utf8');
    visit(parseAst(text, { lang: languageOf(file) }), (node) => {
      if (isRegexLiteral(node)) add(new RegExp(node.regex.pattern, node.regex.flags), file);
      if (!('callee' in node)) return;
      const call = callSchema.safeParse(node);
      if (!call.success) return;
      const expression = text.slice(call.data.start, call.data.end);
      if (call.data.callee.name === 'RegExp') built.push(`${file}: ${expression}`);
      for (const pattern of zodPatterns(expression)) add(pattern, file);
    });
  }
  return { patterns: [...patterns.values()], built };
}

/** All source files, except tests and files that only tests, benches and the repository’s own scripts run. */
function programFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const onlyTests = /\.test\.|\.test-support\.|\/testing\/|\/testing\.ts$|\/test\/|^(?:e2e|bench|scripts)\//;
  return listed.split('\n').filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !onlyTests.test(path));
}

function languageOf(file: string): 'ts' | 'tsx' | 'jsx' {
  if (file.endsWith('.tsx')) return 'tsx';
  return file.endsWith('ts') ? 'ts' : 'jsx';
}

const regexSchema = z.object({ regex: z.object({ pattern: z.string(), flags: z.string() }) });
const callSchema = z.object({
  type: z.enum(['NewExpression', 'CallExpression']),
  start: z.number(),
  end: z.number(),
  callee: z.object({ name: z.string().optional() }),
});

function isRegexLiteral(node: object): node is z.output<typeof regexSchema> {
  return 'regex' in node && regexSchema.safeParse(node).success;
}

function visit(node: unknown, see: (node: object) => void): void {
  if (typeof node !== 'object' || node === null || node instanceof RegExp) return;
  if (!Array.isArray(node)) see(node);
  for (const child of Object.values(node)) visit(child, see);
}

/** The schemas of zod with a pattern of zod’s own, as the source writes them. */
const zodFormats: readonly (readonly [RegExp, () => z.ZodType])[] = [
  [/^z\s*\.email\(/, () => z.email()],
  [/^z\s*\.uuid\(/, () => z.uuid()],
  [/^z\s*\.ipv4\(/, () => z.ipv4()],
  [/^z\s*\.ipv6\(/, () => z.ipv6()],
  [/^z\s*\.cidrv4\(/, () => z.cidrv4()],
  [/^z\s*\.cidrv6\(/, () => z.cidrv6()],
  [/^z\s*\.base64\(/, () => z.base64()],
  [/^z\.iso\s*\.datetime\(\)/, () => z.iso.datetime()],
  [/^z\.iso\s*\.datetime\(\{ offset: true \}\)/, () => z.iso.datetime({ offset: true })],
  // The URL constructor reads these.
  [/^z\s*\.url\(/, () => z.string()],
];

/** @throws Error when the source calls a string format that the list above does not know */
function zodPatterns(expression: string): RegExp[] {
  const name = /^z\s*\.(?:iso\s*\.)?([a-z0-9]+)\(/.exec(expression)?.[1];
  if (name === undefined || !formatNames.has(name)) return [];
  const known = zodFormats.find(([form]) => form.test(expression));
  if (!known) throw new Error(`Add the pattern of this format to zodFormats: ${expression}`);
  const { pattern } = patternSchema.parse(known[1]()._zod.def);
  return pattern ? [pattern] : [];
}

const patternSchema = z.object({ pattern: z.instanceof(RegExp).optional() });
const formatNames = new Set(
  'email uuid uuidv4 uuidv6 uuidv7 guid url httpUrl hostname emoji base64 base64url hex jwt nanoid cuid cuid2 ulid xid ksuid ipv4 ipv6 mac cidrv4 cidrv6 e164 hash date time datetime duration'.split(
    ' ',
  ),
);
