import { setImmediate as soon } from 'node:timers/promises';
import { errorCatalogue } from '@homeport/contract/problems/facts';
import { problemSchema } from '@homeport/contract/problems/schema';
import type { RouteSchemas, RouteTable } from '@homeport/contract/route';
import { scopeOfRoute } from '@homeport/contract/tokens/route-scope';
import { z } from 'zod';

type JsonSchema = Record<string, unknown>;
type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => JsonSchema;

/**
 * The OpenAPI 3.1 document of a route table. Schemas with an id become components. OpenAPI has no WebSockets,
 * so an upgrade is an answer 101 whose content is one message of the console. Its description names the
 * messages of the caller. Each route is described in a turn of the loop of its own, because all of them take some 200 ms.
 */
export async function describeApi(table: RouteTable, version: string, publicUrl: string) {
  const schemas: Record<string, JsonSchema> = {};
  const schemaOf: SchemaOf = (schema, io) => toJsonSchema(schema, io, schemas);
  const paths: Record<string, Record<string, object>> = {};
  for (const [key, route] of Object.entries<RouteSchemas>(table)) {
    const [method = '', url = ''] = key.split(' ');
    const path = url.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeRoute(key, route, schemaOf) };
    await soon();
  }
  schemaOf(problemSchema, 'output');
  return {
    openapi: '3.1.0',
    info: { title: 'Homeport', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas,
      responses: {
        Problem: { description: problemText, content: json({ $ref: '#/components/schemas/Problem' }) },
      },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'homeport.session_token',
          description: 'Set by signing in.',
        },
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A personal API token, made on the profile page. Send it without a cookie. A route names the scope that it needs; a scope to write includes the one to read. What works on a server needs the browser’s SSH key, so a token cannot do it.',
        },
        agent: { type: 'http', scheme: 'bearer', description: 'A server’s own token.' },
      },
    },
  };
}

function describeRoute(key: string, route: RouteSchemas, schemaOf: SchemaOf) {
  const problem = { $ref: '#/components/responses/Problem' };
  return {
    summary: route.summary,
    security: securityOf(key, route),
    parameters: [
      ...parametersIn('path', route.params, schemaOf),
      ...parametersIn('query', route.query, schemaOf),
    ],
    ...(route.kind === 'upload' && { requestBody: { required: true, content: bytes } }),
    ...(route.body && { requestBody: { required: true, content: json(schemaOf(route.body, 'input')) } }),
    responses: { ...goodAnswer(route, schemaOf), '4XX': problem, '5XX': problem },
  };
}

function securityOf(key: string, route: RouteSchemas): Record<string, string[]>[] {
  if (route.access === 'anyone') return [];
  if (route.access === 'agent') return [{ agent: [] }];
  const needed = scopeOfRoute(key, route);
  if (needed.kind === 'any') return [{ session: [] }, { token: [] }];
  return [{ session: [] }, ...(needed.kind === 'scope' ? [{ token: [needed.scope] }] : [])];
}

const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };

function goodAnswer(route: RouteSchemas, schemaOf: SchemaOf): Record<number, object> {
  if (route.kind === 'download')
    return {
      200: { description: 'The file. Its length is announced if it is known before.', content: bytes },
    };
  const schema = schemaOf(route.reply, 'output');
  if (route.kind === 'socket') {
    const takes = route.fromCaller && schemaOf(route.fromCaller, 'input');
    const description = [
      `A WebSocket of the subprotocol \`${route.subprotocol}\`. Each message of the console is one such value.`,
      ...(takes ? [`The caller’s messages are values of \`${takes.$ref}\`.`] : []),
    ].join(' ');
    return { 101: { description, content: json(schema) } };
  }
  if (route.kind === 'exchange') {
    const takes = route.fromCaller && schemaOf(route.fromCaller, 'input');
    const description = `No answer over HTTP: a subscription of \`GET /api/live\`, whose events are such values${takes ? ` and whose page sends values of \`${takes.$ref}\`` : ''}.`;
    return { 404: { description, content: json(schema) } };
  }
  if (route.kind === 'stream') {
    const description = 'Server-sent events; the data of each is one such value.';
    return { 200: { description, content: { 'text/event-stream': { schema } } } };
  }
  return { [route.status ?? 200]: { description: route.summary, content: json(schema) } };
}

function parametersIn(place: 'path' | 'query', schema: z.ZodType | undefined, schemaOf: SchemaOf) {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries<z.ZodType>(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !field.safeParse(undefined).success,
    schema: schemaOf(field, 'input'),
  }));
}

const json = (schema: JsonSchema) => ({ 'application/json': { schema } });

/** JSON Schema 2020-12, which OpenAPI 3.1 takes unchanged. Definitions move to OpenAPI's components. */
function toJsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Record<string, JsonSchema>,
): JsonSchema {
  // The schema is a property here, so that a schema with an id becomes a reference too.
  const whole = z.toJSONSchema(z.object({ schema }), { io, unrepresentable: 'any' });
  const text = JSON.stringify({ schema: whole.properties?.schema, definitions: whole.$defs ?? {} });
  const moved = JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/')) as {
    schema: JsonSchema;
    definitions: Record<string, JsonSchema>;
  };
  for (const [name, { id: _, ...definition }] of Object.entries(moved.definitions))
    components[name] = definition;
  return moved.schema;
}

const problemText = Object.entries(errorCatalogue)
  .map(([code, { status, recovery }]) => `- \`${code}\` (${status}): ${recovery}`)
  .join('\n');
