import { randomBytes } from 'node:crypto';
import { consoleUser, terminalWordHeader } from '@homeport/contract/connections/facts';
import { openingsPerMinute } from '@homeport/contract/limits';
import { serverSchema } from '@homeport/contract/servers/schema';
import type { Bytes } from '@homeport/signer/bytes';
import { readWire } from '@homeport/signer/ssh-wire';
import { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import { type Console, noSense, sendQuestion } from '../console/ask-console.ts';
import { readRoute } from '../console/read-route.ts';
import { exitCodes } from '../exit-codes.ts';
import { oneLine } from '../output/safe-text.ts';
import { placesOf } from '../sign-in/places.ts';
import { chooseAgent } from '../ssh-agent/choose-agent.ts';
import { signByAgent } from '../ssh-agent/ssh-agent.ts';
import type { Asked } from '../terminal.ts';
import { type AskedServer, acceptHost, confirmSameServer } from './accept-host.ts';
import { type AskedSignature, type TalkOutcome, talk } from './agent-talk.ts';
import { problemOfTalk } from './opening-problem.ts';
import { keyOf } from './own-key.ts';
import { claimSession } from './signed-sessions.ts';
import { keptPin } from './trust.ts';

const serverShape = serverSchema.pick({ id: true, name: true, ip: true, port: true, accountKey: true });

const requiredShape = z.object({ connection: z.object({ serverId: z.uuid(), user: z.string() }) });

/** A console, and when this command opened its connections. */
export type OwnConsole = Console & { openedAt: number[] };

/** Calls with the connections that this command opened. Nobody else finds them: their word is told to the console alone. */
export function withOwnConnections(console: Console): OwnConsole {
  return {
    ...console,
    openedAt: [],
    headers: { ...console.headers, [terminalWordHeader]: randomBytes(32).toString('base64url') },
  };
}

/**
 * Runs a call about one server, and opens the connection that the console says it needs. `console` is one of `withOwnConnections`.
 *
 * @throws CommandProblem for a connection that cannot be opened here, and for one to another server
 */
export async function callOnServer<T>(
  asked: Asked,
  { console, serverId }: { console: OwnConsole; serverId: string },
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const wanted = neededFor(error);
    if (!wanted) throw error;
    if (wanted.serverId !== serverId) throw noSense();
    await openConnection(asked, console, wanted);
  }
  return call();
}

function neededFor(error: unknown): { serverId: string; user: string } | null {
  if (!(error instanceof CommandProblem) || error.code !== 'connection_required') return null;
  return requiredShape.safeParse(JSON.parse(error.answer ?? 'null')).data?.connection ?? null;
}

/** Ends what the command opened. Where that fails, the console ends it when it is idle. */
export async function closeConnection(console: Console, serverId: string): Promise<void> {
  // Also after Ctrl-C.
  const own = { ...console, terminal: { interrupted: new AbortController().signal } };
  const path = `/api/servers/${encodeURIComponent(serverId)}/connection`;
  await sendQuestion(own, { method: 'DELETE', path, signal: AbortSignal.timeout(3_000) })
    .then((response) => response.body?.cancel())
    .catch(() => {});
}

async function openConnection(
  asked: Asked,
  console: OwnConsole,
  { serverId, user }: { serverId: string; user: string },
): Promise<void> {
  const { terminal } = asked;
  const stop = terminal.interrupted;
  if (user !== consoleUser)
    throw new CommandProblem(
      exitCodes.waits,
      `This works as ${oneLine(user)}, and a terminal logs in as ${consoleUser}.`,
      {
        recovery: 'Open the console in the browser that holds the key, and do it there.',
      },
    );
  countOpening(console.openedAt, terminal.now());
  const { value: server } = await readRoute(console, 'GET /api/servers/:id', serverShape, { id: serverId });
  const agent = chooseAgent(asked);
  const key = await keyOf(agent, server, stop);
  const host: AskedServer = { ...server, origin: console.origin, key: key.fingerprint };
  const opening = {
    ...{ console, serverId, user, key },
    claimSession: (sessionId: Bytes) => claimSession(placesOf(terminal), sessionId),
    async sign({ data, hostKey, kexSignature, algorithm }: AskedSignature) {
      const sessionId = readWire(data).string();
      const { signature, bound } = await signByAgent(
        agent,
        { publicKey: key.blob, algorithm, data, host: { hostKey, sessionId, kexSignature } },
        stop,
      );
      if (!bound) await terminal.err('This SSH agent does not look at servers; this command alone did.\n');
      return signature;
    },
  };
  const pin =
    (await trustedPin(asked, host)) ??
    (await acceptHost(asked, host, hostOf(await talk({ ...opening, pin: null }), server.name)));
  await terminal.err(
    `Connecting to ${oneLine(server.name)} (${oneLine(server.ip)}, port ${server.port}, ${pin}) as ${user} with ${key.type} ${key.fingerprint} of your SSH agent.\n`,
  );
  const outcome = await talk({ ...opening, pin });
  if (outcome.kind !== 'ready') throw problemOfTalk(outcome, server.name);
}

/**
 * The page and the console count as well. Whoever lies in place of the console would not: each opening is a signature.
 *
 * @throws CommandProblem for more than a minute may have
 */
function countOpening(openedAt: number[], now: number): void {
  const recent = openedAt.filter((at) => at > now - 60_000);
  if (recent.length >= openingsPerMinute)
    throw new CommandProblem(
      exitCodes.waits,
      `This command opened ${openingsPerMinute} connections within a minute, so it ends here.`,
      { recovery: 'Look at the server in the console, then try again.' },
    );
  openedAt.splice(0, openedAt.length, ...recent, now);
}

/** This terminal's own pin, of a server that is still the same. null where it has none, and where the command line names another one. */
async function trustedPin(asked: Asked, host: AskedServer): Promise<string | null> {
  const kept = await keptPin(placesOf(asked.terminal), { origin: host.origin, serverId: host.id });
  const named = asked.flags['host-key'];
  if (!kept || (named !== undefined && named !== kept.fingerprint)) return null;
  await confirmSameServer(asked, host, kept);
  return kept.fingerprint;
}

function hostOf(outcome: TalkOutcome, name: string) {
  if (outcome.kind === 'host') return outcome.host;
  throw problemOfTalk(outcome, name);
}
