import { fileURLToPath } from 'node:url';
import { plantOneOfEach } from '@homeport/api/testing/plant';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '@homeport/api/testing/test-api';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { testHome } from '../testing/terminal.ts';

vi.setConfig({ testTimeout: 60_000 });

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const home = testHome();
let api: TestApi;
let ada: TestPerson;
let app: string;
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' });
  ada = await api.signUp('ada');
  app = (await plantOneOfEach(api.store.db, ada.userId)).apps;
});
afterAll(async () => {
  home[Symbol.dispose]();
  await api?.[Symbol.asyncDispose]();
});

type Made = { token: string; record: { id: string } };

async function makeToken(): Promise<Made> {
  const body = { kind: 'agent', name: 'agent', scopes: ['apps:read', 'operations:read'], days: 1 };
  return bodyOf<Made>(await ada.call('POST /api/tokens', body), 201);
}

type Era = 'modern' | 'legacy';
const eras: Era[] = ['modern', 'legacy'];

/** The SDK's own client, which starts the command as an agent does. */
async function connect(era: Era, { token }: Made) {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--import', 'tsx', main, 'mcp'],
    env: { PATH: process.env.PATH ?? '', HOME: home.home, HOMEPORT_URL: api.url, HOMEPORT_TOKEN: token },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (part: Buffer) => {
    said += part.toString();
  });
  await client.connect(transport);
  return Object.assign(client, {
    said: () => said,
    [Symbol.asyncDispose]: () => client.close(),
  });
}

const textOf = (answer: unknown): string =>
  z.object({ content: z.tuple([z.object({ text: z.string() })]) }).parse(answer).content[0].text;

describe.each(eras)('a client of the %s era over standard input', (era) => {
  it('lists and calls tools with the token of the environment', async () => {
    await using client = await connect(era, await makeToken());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('get_app');
    const answer = textOf(await client.callTool({ name: 'get_app', arguments: { app } }));
    expect(JSON.parse(answer)).toMatchObject({ id: app });
    expect(client.said()).toBe('');
  });

  it('hears of a revoked token in words, and the command goes on', async () => {
    const made = await makeToken();
    await using client = await connect(era, made);
    await ada.call(`DELETE /api/tokens/${made.record.id}`);
    for (let times = 0; times < 2; times += 1)
      await expect(client.callTool({ name: 'get_app', arguments: { app } })).rejects.toThrow(
        /has ended or was revoked.*homeport login --agent/,
      );
    expect(client.said()).not.toContain(made.token);
  });

  it('cancels a call, and the next one is answered', async () => {
    await using client = await connect(era, await makeToken());
    const { operations } = await plantOneOfEach(api.store.db, ada.userId);
    await api.store.db
      .updateTable('operations')
      .set({ state: 'running' })
      .where('id', '=', operations)
      .execute();
    const cancel = new AbortController();
    const call = client.callTool(
      { name: 'wait_for', arguments: { operation: operations, seconds: 45 } },
      { signal: cancel.signal },
    );
    const refused = expect(call).rejects.toThrow();
    cancel.abort();
    await refused;
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });
});
