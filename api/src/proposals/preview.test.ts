import type { App } from '@homeport/contract/apps/schema';
import type { RanCommand } from '@homeport/contract/operations/schema';
import { proposableRoutes } from '@homeport/contract/proposals/facts';
import type { OpenProposal, ProposedCall } from '@homeport/contract/proposals/schema';
import type { Command } from '@homeport/dokku';
import { ownerFromSession } from '@homeport/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDomain } from '../apps/changes/add-domain.ts';
import { scaleApp } from '../apps/processes/scale-app.ts';
import { bodyOf } from '../http/testing.ts';
import type { AnyOperationDefinition } from '../operations/definition.ts';
import type { RunOptions } from '../remote/run-command.ts';
import { deployApp } from '../testing/deploy-app.ts';
import { type LinkedConsole, startLinkedConsole } from '../testing/linked-console.ts';
import { runToEnd, succeeded } from '../testing/page.ts';

let linked: LinkedConsole;
let app: App;
let token: string;
beforeAll(async () => {
  linked = await startLinkedConsole();
  app = await deployApp(linked.ines, linked, {
    Procfile: 'web: node server.js\nworker: node worker.js\n',
    'server.js':
      'require("http").createServer((_, answer) => answer.end("ahoy")).listen(process.env.PORT); console.log("up")',
    'worker.js': 'setInterval(() => {}, 1000)',
  });
  const wanted = { kind: 'agent', name: 'helper', scopes: ['apps:propose'], days: 1 };
  const made = await linked.ines.call('POST /api/tokens', wanted);
  token = bodyOf<{ token: string }>(made, 201).token;
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

async function propose(call: Omit<ProposedCall, 'params'>): Promise<OpenProposal> {
  const response = await fetch(`${linked.api.url}/api/proposals`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ call: { ...call, params: { id: app.id } }, why: 'It has to be tried.' }),
  });
  const { status, headers } = response;
  return bodyOf<OpenProposal>({ status, headers, body: await response.json() }, 201);
}

/** What Homeport asks a server before and after: none of these changes anything there. */
const reading = [
  /^(?:ps|domains|git|resource|ports|proxy|builder|storage):report(?: |$)/,
  /^ps:inspect \S+$/,
  // Without numbers it lists them.
  /^ps:scale [\w-]+$/,
  /^homeport:(?:state|app)\b/,
  /^logs:failed\b/,
];
/** The words after Dokku's own name. */
const wordsOf = (command: string) => command.slice(command.indexOf('dokku ') + 'dokku '.length);

/** Proposes, approves and follows to the end. Resolves with the words of what changed something. */
async function ranOf(call: Omit<ProposedCall, 'params'>): Promise<string[]> {
  const { id, digest, commands } = await propose(call);
  const operation = succeeded(await runToEnd(linked.ines, `POST /api/proposals/${id}/approve`, { digest }));
  const ran = bodyOf<RanCommand[]>(
    await linked.ines.call(`GET /api/operations/${operation.id}/commands`),
    200,
  );
  const shown = commands.map(({ account, command }) => `${account}: ${command}`);
  const changing = ran.filter(({ command }) => !reading.some((each) => each.test(wordsOf(command))));
  for (const { account, command } of changing) expect(shown).toContain(`${account}: ${command}`);
  return changing.map(({ command }) => wordsOf(command).replace(app.longname, 'APP'));
}

/** Each route with its input, in an order in which each finds the app as it needs it; some again, when the server has it already. */
const calls: [Omit<ProposedCall, 'params'>, string[]][] = [
  [{ route: 'POST /api/apps/:id/restart' }, ['ps:restart APP']],
  [
    { route: 'POST /api/apps/:id/processes/restart', body: { type: 'web' } } as Omit<ProposedCall, 'params'>,
    ['ps:restart APP web'],
  ],
  [scaled(0, 1), ["ps:scale APP 'worker=1'"]],
  // The number is there already.
  [scaled(1, 1), []],
  [
    { route: 'POST /api/apps/:id/domains', body: { domain: 'shop.example.com' } } as Omit<
      ProposedCall,
      'params'
    >,
    ['domains:add APP shop.example.com'],
  ],
  [planned(3, 4), ['resource:limit --memory 1024 --cpu 1 APP', 'ps:restart APP']],
  [{ route: 'POST /api/apps/:id/stop' }, ['ps:stop APP']],
  [scaled(1, 2), ["ps:scale --skip-deploy APP 'worker=2'"]],
  // It does not run, so it is not restarted.
  [planned(4, 3), ['resource:limit --memory 512 --cpu 0.5 APP']],
  [{ route: 'POST /api/apps/:id/start' }, ['ps:start APP']],
];

function scaled(from: number, to: number) {
  const body = { processes: [{ type: 'worker', from, to }], start: false };
  return { route: 'POST /api/apps/:id/scale', body } as Omit<ProposedCall, 'params'>;
}
function planned(from: number, plan: number) {
  return { route: 'POST /api/apps/:id/plan', body: { from, plan } } as Omit<ProposedCall, 'params'>;
}

test('everything that an approval changes on the server was shown before', async () => {
  for (const [call, expected] of calls) expect(await ranOf(call), JSON.stringify(call)).toEqual(expected);
}, 300_000);

test('every route that can be proposed was tried', () => {
  expect([...new Set(calls.map(([{ route }]) => route))].toSorted()).toEqual(
    [...proposableRoutes].toSorted(),
  );
});

/** What a step runs and does not keep quiet about, where the server gives these answers. */
async function playedStep(
  definition: AnyOperationDefinition,
  { input, step, answers }: { input: object; step: string; answers: Record<string, string> },
) {
  const ran: Command[] = [];
  const bound = definition.parse({ appId: app.id, longname: app.longname, ...input });
  const context = {
    ...{ owner: ownerFromSession(linked.ines.userId), input: {}, facts: {}, operationId: app.id },
    ...{ signal: new AbortController().signal, toast: async () => {}, note: () => {}, output: () => {} },
    ...{ remember: async () => {}, progress: async () => {}, result: async () => {}, attach: async () => {} },
    run: async (_work: 'apps' | 'root', command: Command, { quiet = false }: RunOptions = {}) => {
      if (!quiet) ran.push(command);
      const stdout = quiet ? (answers[command.words[0] ?? ''] ?? '') : '';
      const record = { account: 'dokku', command: '', exitCode: 0, startedAt: 0, durationMs: 0 };
      return { exitCode: 0, stdout, stderr: '', record };
    },
  };
  await bound.run(step, context);
  const shown = (bound.commands ?? []).map(({ command }) => command);
  for (const command of ran) expect(shown).toContainEqual(command);
  return ran.map(({ words }) => words.join(' ').replace(app.longname, 'APP'));
}

test('a type whose number the server keeps and that does not run was shown to be restarted', async () => {
  const ran = await playedStep(scaleApp(linked.api.store), {
    input: { processes: [{ type: 'worker', from: 0, to: 1 }], start: false },
    step: 'scale',
    answers: { 'ps:report': 'true', 'ps:scale': 'web: 1\nworker: 1\n', 'ps:inspect': '[]' },
  });
  expect(ran).toEqual(['ps:restart APP worker']);
});

test('a domain that Dokku wrote over another one is added once more, by the command that was shown', async () => {
  const ran = await playedStep(addDomain({ db: linked.api.store.db }), {
    input: { domain: 'blog.example.com' },
    step: 'read',
    answers: {
      'domains:report': JSON.stringify({ 'domains-app-vhosts': '', 'domains-app-enabled': 'true' }),
    },
  });
  expect(ran).toEqual(['domains:add APP blog.example.com']);
});
