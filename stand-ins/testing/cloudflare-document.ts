import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import { z } from 'zod';
import type { Exchange } from '../src/cloudflare/index.ts';

const operationSchema = z.object({
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), schema: z.unknown() }).partial())
    .default([]),
  requestBody: z.unknown().optional(),
});
const documentSchema = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

type Problem = string;

/**
 * Compares each exchange with Cloudflare's OpenAPI document: that the operation exists and takes these parameters, that the
 * request's body fits, and that the answer is one that the service could give. Returns what does not fit.
 */
export function holdAgainstDocument(): (exchange: Exchange) => Problem[] {
  const file = new URL('../openapi/cloudflare.json', import.meta.url);
  const document = documentSchema.parse(withNullTypes(JSON.parse(readFileSync(file, 'utf8'))));
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  ajv.addSchema({ ...document, $id: 'cloudflare' });
  const compiled = new Map<string, ValidateFunction>();
  const validatorAt = (...path: string[]) => {
    const pointer = path
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `cloudflare#/${pointer}` });
    compiled.set(pointer, known);
    return known;
  };
  const check = (what: string, validate: ValidateFunction, value: unknown): Problem[] =>
    validate(value) ? [] : [`${what}: ${ajv.errorsText(validate.errors).slice(0, 600)}`];

  return ({ method, path, query, body, status, answer }) => {
    const template = templateOf(Object.keys(document.paths), path);
    const raw = template && document.paths[template]?.[method.toLowerCase()];
    if (!template || !raw) return [`The document has no ${method} ${path}.`];
    const at = ['paths', template, method.toLowerCase()];
    const { parameters, requestBody } = operationSchema.parse(raw);
    const problems = [...query].flatMap(([name, value]) => {
      const index = parameters.findIndex((each) => each.name === name && each.in === 'query');
      if (index < 0) return [`${method} ${template} has no parameter ${name}.`];
      const typed = /^\d+$/.test(value) ? Number(value) : value;
      return check(`${name}=${value}`, validatorAt(...at, 'parameters', String(index), 'schema'), typed);
    });
    if (requestBody !== undefined) {
      const validate = validatorAt(...at, 'requestBody', 'content', 'application/json', 'schema');
      problems.push(...check(`The body of ${method} ${template}`, validate, body));
    } else if (body !== undefined && method !== 'DELETE')
      problems.push(`${method} ${template} takes no body.`);
    const validate = validatorAt(
      ...at,
      'responses',
      status === 200 ? '200' : '4XX',
      'content',
      'application/json',
      'schema',
    );
    return [...problems, ...check(`The answer ${status} to ${method} ${template}`, validate, answer)];
  };
}

/** The template of a path. A fixed part comes before a parameter: `batch` is no record's id. */
function templateOf(templates: string[], path: string): string | undefined {
  const parts = path.split('/');
  const fits = templates.filter((template) => {
    const wanted = template.split('/');
    return (
      wanted.length === parts.length && wanted.every((part, at) => part.startsWith('{') || part === parts[at])
    );
  });
  return fits.sort((a, b) => a.split('{').length - b.split('{').length)[0];
}

/** OpenAPI 3.0's `nullable` in the words of JSON Schema. Examples stay as they are. */
function withNullTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNullTypes);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      /^(?:examples?|value)$/.test(key) ? part : withNullTypes(part),
    ]),
  );
  if (nullable !== true) return rest;
  if (typeof rest.type !== 'string') return { anyOf: [rest, { type: 'null' }] };
  const values = Array.isArray(rest.enum) && !rest.enum.includes(null) ? [...rest.enum, null] : rest.enum;
  return { ...rest, type: [rest.type, 'null'], ...(values !== undefined && { enum: values }) };
}
