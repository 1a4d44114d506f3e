import type { Server } from '@homeport/contract/servers/schema';
import { isProblem } from '../../data/api-problem.ts';
import { call } from '../../data/call.ts';
import { problemText } from '../../data/problem-text.ts';
import { type AddServerForm, type AddServerValues, emptyForm } from './add-server-form.ts';

export type Sent =
  | { kind: 'added'; server: Server }
  /** The user typed no subdomain. The console suggests one and has added nothing yet. */
  | { kind: 'suggested'; subdomain: string }
  /** The console's refusals of single form fields. */
  | { kind: 'refused'; fields: readonly (readonly [keyof AddServerForm, string])[] }
  | { kind: 'failed'; message: string };

/** Adds a server, or says why the console did not add it. */
export async function sendServer(values: AddServerValues): Promise<Sent> {
  try {
    if (values.subdomain === '')
      return { kind: 'suggested', subdomain: (await call('GET /api/subdomains')).suggestion };
    return { kind: 'added', server: await call('POST /api/servers', { body: values }) };
  } catch (error) {
    const fields = isProblem(error) ? Object.entries(error.problem.fields ?? {}) : [];
    if (fields.length === 0) return { kind: 'failed', message: problemText(error) };
    return {
      kind: 'refused',
      fields: fields.flatMap(([name, text]) => (isField(name) ? [[name, text]] : [])),
    };
  }
}

const isField = (name: string): name is keyof AddServerForm => Object.hasOwn(emptyForm, name);
