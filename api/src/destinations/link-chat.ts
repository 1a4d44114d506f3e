import { randomBytes } from 'node:crypto';
import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { ChatLink, Destination } from '@homeport/contract/destinations/schema';
import { withoutHidden } from '@homeport/contract/fields/shown-text';
import type { SessionIdentity } from '@homeport/contract/services';
import { type Owner, ownerFromSession } from '@homeport/store';
import { z } from 'zod';
import { holdSession } from '../confirmation/confirmed.ts';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { cutText } from '../notifications/chat/cut-text.ts';
import { judgeAnswer } from '../notifications/http/judge-answer.ts';
import type { Posted } from '../notifications/http/post-once.ts';
import { readJson } from '../notifications/http/read-json.ts';
import { sealJson } from '../notifications/seal-target.ts';
import { readBot, type TelegramSecret, telegramSecretSchema } from '../notifications/telegram/bot.ts';
import { holdAccount } from '../records/account-lock.ts';
import { destinationPlace, SealBroken } from '../sealing/sealer.ts';
import { refuseFlood } from './by-hand.ts';
import type { DestinationDeps } from './deps.ts';
import { holdDestination, readDestination } from './destination-record.ts';
import { noteDestination } from './note-destination.ts';

const meSchema = z.object({ result: z.object({ username: z.string().regex(/^\w{1,64}$/) }) });

/**
 * Makes the link by which a chat of Telegram becomes the destination: who opens it says a code to the bot. A code is good once and for
 * ten minutes. The current chat stays linked until another chat sends the code.
 */
export async function makeChatLink(
  deps: DestinationDeps,
  { userId, sessionId }: SessionIdentity,
  id: string,
): Promise<ChatLink> {
  const owner = ownerFromSession(userId);
  const { secret, sealed } = await openBot(deps, owner, id, { counts: true });
  const me = resultOf(await deps.askBot(secret.token, 'getMe', {}), meSchema);
  const { username: bot } = me.result;
  const text = randomBytes(16).toString('base64url');
  const until = deps.clock() + destinationLimits.chatLinkMinutes * 60_000;
  await keepBot(
    deps,
    owner,
    { id, sessionId, sealed },
    { secret: { ...secret, code: { text, bot, until } } },
  );
  const link = `https://t.me/${bot}`;
  return { link: `${link}?start=${text}`, groupLink: `${link}?startgroup=${text}`, expiresAt: until };
}

const updatesSchema = z.object({
  result: z.array(
    z.object({
      message: z
        .object({
          text: z.string().optional(),
          chat: z.object({ id: z.number(), title: z.string().optional(), first_name: z.string().optional() }),
        })
        .optional()
        .catch(undefined),
    }),
  ),
});

/**
 * The newest messages to the bot, for which Telegram waits a few seconds where there are none. Not more than fit into the bound of the
 * answer, because a message repeats the one that it answers.
 */
const look = { offset: -20, limit: 20, timeout: 8, allowed_updates: ['message'] };

type Found = { linked: boolean; record: Destination };

/** Looks once whether a chat has said the code, and makes that chat the destination. */
export async function findChat(deps: DestinationDeps, session: SessionIdentity, id: string): Promise<Found> {
  const leave = deps.chatLooks.take(session.userId);
  if (leave === null)
    throw new ProblemError('too_many', 'Your account looks for a chat already. Nothing was changed.', {
      recovery: 'Wait some seconds, and try again.',
    });
  return lookForChat(deps, session, id).finally(leave);
}

async function lookForChat(
  deps: DestinationDeps,
  { userId, sessionId }: SessionIdentity,
  id: string,
): Promise<Found> {
  const owner = ownerFromSession(userId);
  const { secret, sealed } = await openBot(deps, owner, id, { counts: false });
  const { code, token } = secret;
  if (code === null || code.until <= deps.clock())
    throw new ProblemError('conflict', 'This link is over.', { recovery: 'Make another one.' });
  const { result } = resultOf(await deps.askBot(token, 'getUpdates', look), updatesSchema);
  // In a group Telegram puts the name of the bot behind the command.
  const said = [`/start ${code.text}`, `/start@${code.bot} ${code.text}`];
  const chat = result.find(({ message }) => message?.text !== undefined && said.includes(message.text))
    ?.message?.chat;
  const shown =
    chat && cutText(withoutHidden(chat.title ?? chat.first_name ?? 'a chat').replace(/\s/g, ' '), 60);
  if (chat && shown)
    await keepBot(
      deps,
      owner,
      { id, sessionId, sealed },
      {
        secret: { token, chat: { id: chat.id }, code: null },
        shown: `${shown}, by @${code.bot}`,
      },
    );
  const record = await deps.store.read(owner, (scope) => readDestination(scope, id, deps.mailConfigured));
  return { linked: chat !== undefined, record };
}

async function openBot(
  { store, sealer, clock }: DestinationDeps,
  owner: Owner,
  id: string,
  { counts }: { counts: boolean },
): Promise<{ secret: TelegramSecret; sealed: Buffer }> {
  const { kind, sealed } = await store.transact(owner, async (scope) => {
    await holdAccount(scope);
    const held = await holdDestination(scope, id);
    if (counts) {
      const now = clock();
      await refuseFlood(scope, now);
      await scope.db.insertInto('notice_sent_by_hand').values({ owner_id: owner, at: now }).execute();
    }
    return held;
  });
  if (kind !== 'telegram' || sealed === null)
    throw new ProblemError('conflict', 'Only a destination at Telegram has a chat.', {
      recovery: 'Other kinds are complete once they are added.',
    });
  const opened = sealer.open(destinationPlace(owner, id), sealed, (bytes) =>
    telegramSecretSchema.parse(JSON.parse(bytes.toString('utf8'))),
  );
  const secret = await opened.catch((error: unknown) => {
    if (!(error instanceof SealBroken)) throw error;
    throw new ProblemError(
      'conflict',
      'The token was sealed with a secret that this console does not have.',
      {
        recovery: 'Enter the token of the bot again.',
      },
    );
  });
  return { secret, sealed };
}

/** Replaces what is sealed, unless somebody replaced it since it was opened. With `shown` a chat was linked, and news goes there. */
async function keepBot(
  { store, sealer, clock }: DestinationDeps,
  owner: Owner,
  { id, sessionId, sealed }: { id: string; sessionId: string; sealed: Buffer },
  { secret, shown }: { secret: TelegramSecret; shown?: string },
): Promise<void> {
  await store.transact(owner, async (scope) => {
    await holdSession(scope, sessionId);
    const held = await holdDestination(scope, id);
    if (!held.sealed?.equals(sealed))
      throw new ProblemError('conflict', 'This destination was changed meanwhile.', {
        recovery: 'Make another link.',
      });
    await scope.db
      .updateTable('notice_destinations')
      .set({
        ...{ sealed: sealJson(sealer, { ownerId: owner, id }, secret), version: held.version + 1 },
        ...(shown !== undefined && { shown, state: 'on' as const, problem: null }),
      })
      .where('id', '=', id)
      .execute();
    if (shown !== undefined)
      await noteDestination(scope, 'destination_changed', { kind: held.kind, shown, sessionId, at: clock() });
    await notifyChange(scope.db, owner, 'destinations', id);
  });
}

/** Throws `conflict` with what Telegram answered, in the console's words. */
function resultOf<S extends z.ZodType>(posted: Posted, schema: S): z.output<S> {
  const { outcome, answer } = judgeAnswer(posted, 'Telegram', readBot);
  const result = outcome === 'sent' && posted.kind === 'answered' ? readJson(posted.body, schema) : null;
  if (result !== null) return result;
  throw new ProblemError('conflict', outcome === 'sent' ? 'The answer of Telegram cannot be read.' : answer, {
    recovery: 'Compare the token with the one that @BotFather shows, and try again.',
  });
}
