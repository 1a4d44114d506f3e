import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AddServerValues, addServerForm, emptyForm } from './add-server-form.ts';
import { sendServer } from './send-server.ts';

const values: AddServerValues = addServerForm.parse({
  ...emptyForm,
  name: 'mole-two',
  ip: '198.51.100.140',
  credential: 'password',
  subdomain: 'lantern',
});

/** The console answers every request with this, and the test records the requests. */
function answerWith(status: number, body: object): string[] {
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    requests.push(`${init?.method} ${path}`);
    return new Response(JSON.stringify(body), { status });
  });
  return requests;
}
afterEach(() => vi.unstubAllGlobals());

const refusal = { code: 'invalid_input', message: 'No.', recovery: 'Mend the named fields.' };

describe('the sending of a new server', () => {
  it('adds the server', async () => {
    const requests = answerWith(200, { id: 's' });
    expect(await sendServer(values)).toEqual({ kind: 'added', server: { id: 's' } });
    expect(requests).toEqual(['POST /api/servers']);
  });

  it('asks for a subdomain where none was typed, and adds nothing', async () => {
    const requests = answerWith(200, { suggestion: 'harbour7' });
    expect(await sendServer({ ...values, subdomain: '' })).toEqual({
      kind: 'suggested',
      subdomain: 'harbour7',
    });
    expect(requests).toEqual(['GET /api/subdomains']);
  });

  it('shows the console’s messages about the fields of the form', async () => {
    answerWith(400, { ...refusal, fields: { name: 'Taken.', version: 'Unknown.' } });
    expect(await sendServer(values)).toEqual({ kind: 'refused', fields: [['name', 'Taken.']] });
  });

  it('shows any other failure in a sentence', async () => {
    answerWith(409, refusal);
    expect(await sendServer(values)).toEqual({ kind: 'failed', message: 'No. Mend the named fields.' });
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('down')));
    expect(await sendServer(values)).toMatchObject({ kind: 'failed', message: /could not be reached/ });
  });
});
