import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import { z } from 'zod';
import { checkArchive } from './archive-document.ts';

export type Contract = {
  /** What is wrong with a request, in words; empty for one that the document describes. */
  checkRequest(request: { method: string; path: string; query: URLSearchParams; body: unknown }): string[];
  /** The same for an answer. */
  checkAnswer(answer: { method: string; path: string; status: number; body: unknown }): string[];
  /** The same for an archive, to which the document only leads. */
  checkArchive: typeof checkArchive;
};

const operationSchema = z.looseObject({
  parameters: z.array(z.record(z.string(), z.unknown())).optional(),
  requestBody: z.unknown().optional(),
  responses: z.record(z.string(), z.unknown()),
});
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.record(z.string(), z.record(z.string(), z.unknown())),
});
type Document = z.output<typeof documentSchema>;

/**
 * Holds requests and answers to GitHub's OpenAPI 3.0 document. An operation, a parameter or a field of a request that the
 * document does not name is wrong too: the service ignores it, and a person would wait for its effect in vain.
 */
export function githubContract(): Contract {
  const file = new URL('../openapi/github.json', import.meta.url);
  const document = documentSchema.parse(withNull(JSON.parse(readFileSync(file, 'utf8'))));
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  // GitHub’s own name for `owner/repository`.
  ajv.addFormat('repo.nwo', true);
  ajv.addSchema({ ...document, $id: 'document' });
  const compiled = new Map<string, ValidateFunction>();
  const validate = (pointer: string[], value: unknown): string[] => {
    const ref = `document#/${pointer.map(escapeWord).join('/')}`;
    const check = compiled.get(ref) ?? ajv.compile({ $ref: ref });
    compiled.set(ref, check);
    if (check(value)) return [];
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
  };
  const find = (method: string, path: string) => findOperation(document, method, path);

  return {
    checkArchive,
    checkRequest({ method, path, query, body }) {
      const found = find(method, path);
      if (!found) return [`${method} ${path} is not an operation.`];
      const wrong = [...query.keys()]
        .filter((name) => !found.query.has(name))
        .map((name) => `?${name} is not a parameter.`);
      for (const [name, at] of found.query) {
        const text = query.get(name);
        if (text === null) continue;
        const asNumber = /^-?\d+$/.test(text) ? Number(text) : text;
        const told = validate([...at, 'schema'], asNumber);
        if (told.length > 0 && validate([...at, 'schema'], text).length > 0)
          wrong.push(`?${name}: ${told[0]}`);
      }
      const { bodyAt } = found;
      if (bodyAt === null) return body === undefined ? wrong : [...wrong, 'The operation takes no body.'];
      return [...wrong, ...validate(bodyAt, body), ...unnamedFields(document, bodyAt, body)];
    },
    checkAnswer({ method, path, status, body }) {
      const found = find(method, path);
      if (!found) return [`${method} ${path} is not an operation.`];
      const at = found.answers.get(String(status));
      if (at === undefined) return [`${method} ${path} does not answer ${status}.`];
      if (at === null) return body === undefined ? [] : [`${status} has no body.`];
      return validate(at, body);
    },
  };
}

type Found = {
  query: Map<string, string[]>;
  bodyAt: string[] | null;
  /** By status; null: without a body. */
  answers: Map<string, string[] | null>;
};

function findOperation(document: Document, method: string, path: string): Found | null {
  const template = Object.keys(document.paths)
    .filter((each) => fits(each, path))
    // `/git/ref/{ref}` takes slashes, so the template with the most fixed words is meant.
    .sort((a, b) => fixedWords(b) - fixedWords(a))[0];
  if (template === undefined) return null;
  const name = method.toLowerCase();
  const given = document.paths[template]?.[name];
  if (given === undefined) return null;
  const operation = operationSchema.parse(given);
  const at = ['paths', template, name];
  const query = new Map<string, string[]>();
  for (const [index, parameter] of (operation.parameters ?? []).entries()) {
    const [place, it] = resolve(document, [...at, 'parameters', String(index)], parameter);
    if (it.in === 'query' && typeof it.name === 'string') query.set(it.name, place);
  }
  const answers = new Map<string, string[] | null>();
  for (const [status, response] of Object.entries(operation.responses)) {
    const [place, it] = resolve(document, [...at, 'responses', status], response);
    answers.set(status, contentAt(place, it));
  }
  return {
    query,
    answers,
    bodyAt: operation.requestBody ? contentAt([...at, 'requestBody'], operation.requestBody) : null,
  };
}

const words = (path: string) => path.split('/').slice(1);
const fixedWords = (template: string) => words(template).filter((word) => !word.startsWith('{')).length;

/** The last parameter of a template may hold slashes: `{path}`, `{ref}`. */
function fits(template: string, path: string): boolean {
  const [wanted, given] = [words(template), words(path)];
  if (given.length < wanted.length) return false;
  const open = /^\{(path|ref|branch)\}$/.test(wanted.at(-1) ?? '');
  if (given.length > wanted.length && !open) return false;
  return wanted.every((word, at) => word.startsWith('{') || word === given[at]);
}

const recordSchema = z.record(z.string(), z.unknown());

function resolve(document: Document, at: string[], value: unknown): [string[], Record<string, unknown>] {
  const it = recordSchema.parse(value);
  if (typeof it.$ref !== 'string') return [at, it];
  const place = it.$ref.slice(2).split('/');
  const [, kind = '', name = ''] = place;
  return [place, recordSchema.parse(document.components[kind]?.[name])];
}

function contentAt(at: string[], value: unknown): string[] | null {
  const content = recordSchema.safeParse(recordSchema.parse(value).content).data;
  if (!content) return null;
  const type = Object.keys(content).find((each) => each.includes('json'));
  return type === undefined ? null : [...at, 'content', type, 'schema'];
}

function unnamedFields(document: Document, at: string[], body: unknown): string[] {
  let schema: unknown = document;
  for (const word of at) schema = recordSchema.parse(schema)[word];
  const properties = recordSchema.safeParse(recordSchema.parse(schema).properties).data;
  const fields = recordSchema.safeParse(body).data;
  if (!properties || !fields) return [];
  return Object.keys(fields)
    .filter((name) => !(name in properties))
    .map((name) => `/${name} is not a field.`);
}

const escapeWord = (word: string) => encodeURIComponent(word.replaceAll('~', '~0').replaceAll('/', '~1'));

/** JSON Schema does not know OpenAPI 3.0's `nullable`. */
function withNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNull);
  const object = recordSchema.safeParse(value).data;
  if (!object) return value;
  const rest = Object.fromEntries(Object.entries(object).map(([key, each]) => [key, withNull(each)]));
  if (object.nullable !== true) return rest;
  const { nullable: _, ...schema } = rest;
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const enumeration = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, ...enumeration, type: [schema.type, 'null'] };
}
