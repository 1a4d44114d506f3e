import { openProposalSchema } from '@homeport/contract/proposals/schema';
import { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import { askConsole, type Console, noSense } from '../console/ask-console.ts';
import { mayPass } from '../console/may-pass.ts';
import { readRoute } from '../console/read-route.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { oneLine } from '../output/safe-text.ts';
import type { Terminal } from '../terminal.ts';
import { appOfName, nameFor } from './app.ts';
import type { Command, Run } from './command.ts';
import { appShape } from './states.ts';

/** A newer console may know more states. */
const proposalShape = openProposalSchema
  .pick({
    ...{ id: true, title: true, why: true, appName: true, serverName: true },
    approveAt: true,
    operationId: true,
  })
  .extend({
    state: z.string(),
    /** A console that does not say it keeps the proposal as it is. */
    changed: z.string().nullish(),
    commands: z.array(z.object({ command: z.string(), onlyIf: z.string().nullable() })),
  });
type Proposal = z.output<typeof proposalShape>;
type Seen = { value: Proposal; text: string };

const lookedAtEveryMs = 2_000;
/** Failures one after the other that may pass: two minutes and more. */
const mostFailures = 60;

const actions = ['start', 'stop', 'restart', 'plan', 'scale', 'domain'] as const;

export const propose: Command = {
  words: ['propose'],
  args: [
    { name: 'ACTION', oneOf: actions },
    { name: 'NAME', orElse: 'HOMEPORT_APP' },
  ],
  flags: [
    { name: 'why', value: 'TEXT', purpose: 'The reason, which the person reads. Has to be given.' },
    {
      name: 'to',
      value: 'VALUE',
      purpose:
        'The plan (`5`), the number of a process (`web=3`), or the domain to add. Of a restart: the one process to restart (`worker`).',
    },
    { name: 'no-wait', purpose: 'Ends as soon as the proposal is kept.' },
    {
      name: 'timeout',
      value: 'SECONDS',
      purpose: 'Stops waiting then, with exit code 6. The proposal stays open.',
    },
  ],
  summary:
    'Proposes a change of an app, and waits until you have approved or declined it in your browser, where you see its commands. Approved, the browser runs it. The token needs the scope apps:propose.',
  json: 'The answer of `GET /api/proposals/:id`, once somebody has decided; with `--no-wait` that of `POST /api/proposals`.',
  asksConsole: true,
  async run(run) {
    const { terminal, json, flags } = run;
    const [name, why, deadline] = [nameFor(run), whyOf(run), deadlineOf(run)];
    const callOf = wantedBy(run);
    const console = await run.signIn();
    const { value: apps } = await readRoute(console, 'GET /api/apps', z.array(appShape));
    const { id } = appOfName(apps, name);
    const call = await callOf(console, id);
    const kept = await keep(console, { call, why });
    await tell(terminal, kept.value);
    if (flags['no-wait'] === true) {
      if (json) await printJson(terminal, kept.text);
      else await terminal.out(`Open\t${oneLine(kept.value.approveAt)}\n`);
      return exitCodes.good;
    }
    const last = await waitForDecision(console, kept, { terminal, deadline });
    if (json) await printJson(terminal, last.text);
    return terminal.interrupted.aborted ? exitCodes.interrupted : tellEnd(terminal, last.value, json);
  },
};

function whyOf({ flags }: Run): string {
  if (typeof flags.why === 'string' && flags.why.trim() !== '') return flags.why;
  throw usage('Say why, for the person: --why "It answers slowly."');
}

/** Epoch milliseconds. */
function deadlineOf({ flags: { timeout }, terminal }: Run): number {
  if (typeof timeout !== 'string') return Number.POSITIVE_INFINITY;
  const seconds = /^\d{1,6}$/.test(timeout) ? Number(timeout) : 0;
  if (seconds === 0) throw usage('--timeout takes seconds, from 1 to 999999.');
  return terminal.now() + seconds * 1_000;
}

const usage = (message: string) => new CommandProblem(exitCodes.usage, message, { recovery: '' });

type CallOf = (console: Console, id: string) => Promise<object>;

/** Reads the command line, and asks the console only then. */
function wantedBy({ args: { ACTION: action = '' }, flags: { to } }: Run): CallOf {
  const value = typeof to === 'string' ? to : null;
  const onApp = (path: string, id: string, body?: object) => ({
    route: `POST /api/apps/:id/${path}`,
    params: { id },
    ...(body && { body }),
  });
  if (action === 'restart' && value !== null)
    return async (_console, id) => onApp('processes/restart', id, { type: value });
  if (action === 'domain') {
    if (value === null) throw usage('Which domain? Give it as --to shop.example.com.');
    return async (_console, id) => onApp('domains', id, { domain: value });
  }
  if (action === 'plan') {
    const plan = value !== null && /^\d{1,2}$/.test(value) ? Number(value) : null;
    if (plan === null) throw usage('Which plan? Give its number as --to 5.');
    return async (console, id) =>
      onApp('plan', id, {
        from: (await readRoute(console, 'GET /api/apps/:id', planShape, { id })).value.plan,
        plan,
      });
  }
  if (action === 'scale') {
    const [, type, count] = /^([\w-]{1,63})=(\d{1,2})$/.exec(value ?? '') ?? [];
    if (type === undefined) throw usage('Which process, and how many? Give both as --to web=3.');
    return async (console, id) => {
      const from = await wantedNow(console, { id, type });
      return onApp('scale', id, { processes: [{ type, from, to: Number(count) }] });
    };
  }
  if (value !== null) throw usage(`--to does not go with ${action}.`);
  return async (_console, id) => onApp(action, id);
}

const planShape = z.object({ plan: z.number().nullable() });
const knownShape = z.object({
  processes: z
    .object({ told: z.object({ types: z.array(z.object({ type: z.string(), quantity: z.number() })) }) })
    .nullable(),
});

/** The number that the server wanted when it was asked last. Another one by then, and nothing is changed. */
async function wantedNow(console: Console, { id, type }: { id: string; type: string }): Promise<number> {
  const { value } = await readRoute(console, 'GET /api/apps/:id/known', knownShape, { id });
  const found = value.processes?.told.types.find((each) => each.type === type);
  if (found) return found.quantity;
  throw new CommandProblem(exitCodes.conflict, `The console knows of no process ${type} of this app.`, {
    recovery: 'Open the page of the app in the browser that holds the key: it reads them from the server.',
  });
}

async function keep(console: Console, body: object): Promise<Seen> {
  const text = await askConsole(console, {
    method: 'POST',
    path: '/api/proposals',
    body: JSON.stringify(body),
  });
  const read = proposalShape.safeParse(JSON.parse(text));
  if (!read.success) throw noSense();
  return { value: read.data, text };
}

async function tell({ err }: Terminal, { title, why, appName, serverName, commands, approveAt }: Proposal) {
  await err(`${oneLine(`${title}: ${appName} (${serverName})`)}\n`);
  for (const { command, onlyIf } of commands)
    await err(`  ${oneLine(onlyIf === null ? command : `${command}   (if ${onlyIf})`)}\n`);
  await err(`  Why: ${oneLine(why)}\n`);
  await err(`Nothing has run. Approve or decline at ${oneLine(approveAt)}\n`);
}

async function waitForDecision(
  console: Console,
  kept: Seen,
  { terminal, deadline }: { terminal: Terminal; deadline: number },
): Promise<Seen> {
  let last = kept;
  let failures = 0;
  let toldOfChange = false;
  while (last.value.state === 'open' && terminal.now() < deadline && !terminal.interrupted.aborted) {
    if (last.value.changed && !toldOfChange) {
      toldOfChange = true;
      await terminal.err(`${oneLine(last.value.changed)} It waits on; propose it again if it still fits.\n`);
    }
    await terminal.wait(lookedAtEveryMs);
    const look = readRoute(console, 'GET /api/proposals/:id', proposalShape, { id: kept.value.id });
    last = await look.then(
      (seen) => {
        failures = 0;
        return seen;
      },
      (error: unknown) => {
        failures += 1;
        if (failures > mostFailures || !mayPass(error)) throw error;
        return last;
      },
    );
  }
  return last;
}

const exitOfState: Partial<Record<string, ExitCode>> = {
  run: exitCodes.good,
  declined: exitCodes.declined,
  withdrawn: exitCodes.declined,
  revoked: exitCodes.notAllowed,
};

const wordOfState: Partial<Record<string, string>> = {
  run: 'Approved',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  revoked: 'Revoked',
  open: 'Open',
};

async function tellEnd({ out, err }: Terminal, proposal: Proposal, json: boolean): Promise<ExitCode> {
  const { state, operationId, approveAt } = proposal;
  if (!json) await out(`${wordOfState[state] ?? oneLine(state)}\t${oneLine(operationId ?? approveAt)}\n`);
  if (state === 'run' && operationId !== null)
    await err(`Follow the work with \`homeport op watch ${oneLine(operationId)}\`.\n`);
  return exitOfState[state] ?? exitCodes.waits;
}
