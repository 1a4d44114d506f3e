import { mcpPath } from '@homeport/contract/mcp/facts';
import type { OpenProposal } from '@homeport/contract/proposals/schema';
import type { TokenScope } from '@homeport/contract/tokens/facts';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { type Planted, plantOneOfEach } from '../testing/plant.ts';

let api: TestApi;
let ada: TestPerson;
let things: Planted;
let hers: Planted;
let token: string;
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' });
  ada = await api.signUp('ada');
  const eve = await api.signUp('eve');
  things = await plantOneOfEach(api.store.db, ada.userId);
  hers = await plantOneOfEach(api.store.db, eve.userId);
  token = await make(['apps:propose', 'operations:read']);
});
afterAll(() => api?.[Symbol.asyncDispose]());

async function make(scopes: TokenScope[]): Promise<string> {
  const answer = await ada.call('POST /api/tokens', { kind: 'agent', name: 'agent', scopes, days: 30 });
  return bodyOf<{ token: string }>(answer, 201).token;
}

type Era = 'modern' | 'legacy';
async function connect(bearer = token, era: Era = 'modern'): Promise<Client & AsyncDisposable> {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(mcpPath, api.url), {
    requestInit: { headers: { authorization: `Bearer ${bearer}` } },
  });
  await client.connect(transport);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

const textSchema = z.object({
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
  isError: z.boolean().optional(),
});
async function call(client: Client, name: string, input: Record<string, unknown>) {
  const { content, isError = false } = textSchema.parse(await client.callTool({ name, arguments: input }));
  return { isError, value: z.record(z.string(), z.unknown()).parse(JSON.parse(content[0].text)) };
}

const operations = () =>
  api.store.db.selectFrom('operations').select('id').where('app_id', '=', things.apps).execute();
const why = 'It answers slowly.';

describe.each(['modern', 'legacy'] as const)('a client of the %s era', (era) => {
  it('proposes, gives its person the address, waits, and follows what was approved', async () => {
    await using client = await connect(token, era);
    const before = await operations();
    const made = await call(client, 'propose_app_action', { app: things.apps, action: 'restart', why });
    expect(made).toMatchObject({
      isError: false,
      value: {
        state: 'open',
        approveAt: `${api.url}/approve/${made.value.proposal}`,
        commands: [{ command: expect.stringContaining('ps:restart'), onlyIf: null }],
        next: expect.stringMatching(/^Nothing has run\. Ask the person to approve/),
      },
    });
    expect(await operations()).toEqual(before);
    const id = String(made.value.proposal);
    const waiting = call(client, 'wait_for_proposal', { proposal: id, seconds: 40 });
    const { digest } = bodyOf<OpenProposal>(await ada.call(`GET /api/proposals/${id}`), 200);
    const begun = bodyOf<{ id: string }>(
      await ada.call(`POST /api/proposals/${id}/approve`, { digest }),
      202,
    );
    expect((await waiting).value).toMatchObject({ state: 'run', operation: begun.id });
    expect((await call(client, 'get_operation', { id: begun.id })).value).toMatchObject({
      kind: 'app.restart',
    });
    bodyOf(await ada.call(`POST /api/operations/${begun.id}/cancel`), 200);
  });

  it('hears that its person declined, and takes back what it proposed', async () => {
    await using client = await connect(token, era);
    const { value } = await call(client, 'propose_domain', {
      ...{ app: things.apps, domain: `${era}.example.com`, why },
    });
    const waiting = call(client, 'wait_for_proposal', { proposal: value.proposal, seconds: 40 });
    bodyOf(await ada.call(`POST /api/proposals/${value.proposal}/decline`), 200);
    expect((await waiting).value).toMatchObject({ state: 'declined', operation: null });
    const plan = await call(client, 'propose_plan', { app: things.apps, plan: 5, why });
    expect(plan.value).toMatchObject({ state: 'open' });
    expect(await call(client, 'withdraw_proposal', { proposal: plan.value.proposal })).toMatchObject({
      isError: false,
      value: { state: 'withdrawn' },
    });
  });
});

describe('a tool that proposes', () => {
  it('is shown to tokens that may propose, and says of itself that it does not only read', async () => {
    await using client = await connect();
    const { tools } = await client.listTools();
    const proposing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false);
    expect(proposing.map(({ name }) => name)).toEqual([
      'propose_app_action',
      'propose_scale',
      'propose_plan',
      'propose_domain',
      'withdraw_proposal',
    ]);
    for (const { annotations } of proposing) expect(annotations?.destructiveHint).toBe(false);
    expect(tools.length).toBeLessThanOrEqual(25);
    await using reader = await connect(await make(['apps:read']));
    expect((await reader.listTools()).tools.map(({ name }) => name)).toEqual([
      ...['get_overview', 'list_apps', 'get_app'],
    ]);
    expect(await call(reader, 'propose_plan', { app: things.apps, plan: 5, why })).toMatchObject({
      isError: true,
      value: { error: { code: 'not_allowed', message: expect.stringContaining('apps:propose') } },
    });
  });

  const named: [string, object][] = [
    ['propose_app_action', { action: 'stop' }],
    ['propose_scale', { process: 'web', to: 2 }],
    ['propose_plan', { plan: 5 }],
    ['propose_domain', { domain: 'shop.example.net' }],
  ];
  it.each(named)('%s finds no other account’s app', async (name, input) => {
    await using client = await connect();
    expect(await call(client, name, { ...input, app: hers.apps, why })).toMatchObject({
      isError: true,
      value: { error: { code: 'not_found' } },
    });
  });

  it.each(['wait_for_proposal', 'withdraw_proposal'])(
    '%s finds only what its token proposed',
    async (name) => {
      await using client = await connect();
      for (const proposal of [things.proposals, hers.proposals])
        expect(await call(client, name, { proposal })).toMatchObject({
          isError: true,
          value: { error: { code: 'not_found' } },
        });
    },
  );

  it('says why a call is refused', async () => {
    await using client = await connect();
    const refusals: [string, object, object][] = [
      [
        'propose_app_action',
        { action: 'destroy' },
        { code: 'invalid_input', fields: { action: expect.any(String) } },
      ],
      ['propose_app_action', { action: 'stop', process: 'web' }, { fields: { process: expect.any(String) } }],
      ['propose_scale', { process: 'web', to: 2 }, { code: 'conflict' }],
      ['propose_domain', { domain: '--force' }, { code: 'invalid_input' }],
    ];
    for (const [name, input, error] of refusals)
      expect(await call(client, name, { app: things.apps, why, ...input }), name).toMatchObject({
        isError: true,
        value: { error },
      });
  });
});
