import type { SecurityEventKind } from '@homeport/contract/account/facts';
import type { SessionIdentity } from '@homeport/contract/services';
import type { Handlers } from '../http/handlers.ts';
import { notifyChange } from '../live/notify-change.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';
import { type GithubDeps, readGithub } from './account.ts';
import { beginLink, finishLink, unlink } from './link.ts';
import { linkWithToken } from './link-with-token.ts';
import { forgetOAuthApp, keepOAuthApp, type OAuthAppDeps, showOAuthApp } from './oauth-app.ts';
import { listRepositories } from './repositories/list-repositories.ts';
import { refreshRepositories } from './repositories/refresh-repositories.ts';

export function githubHandlers(
  deps: GithubDeps,
  app: OAuthAppDeps,
  /** Takes away what was set up with the account, while GitHub still knows it. */
  beforeUnlink: (session: SessionIdentity) => Promise<void>,
) {
  const note = (kind: SecurityEventKind, { userId: owner, sessionId }: SessionIdentity) =>
    noteSecurityEvent(deps.store.db, {
      owner,
      kind,
      subject: 'GitHub',
      from: { sessionId },
      at: deps.clock(),
    });
  return {
    'GET /api/github': ({ session }) => readGithub(deps, session),
    'POST /api/github/link': ({ session }) => beginLink(deps, session),
    'POST /api/github/link/finish': async ({ session, body }) => {
      const linked = await finishLink(deps, session, body);
      await note('account_linked', session);
      return linked;
    },
    'POST /api/github/token': async ({ session, body }) => {
      const linked = await linkWithToken(deps, session, body.token);
      await note('account_linked', session);
      return linked;
    },
    'GET /api/github/app': () => showOAuthApp(app),
    'PUT /api/github/app': async ({ session, body }) => {
      const kept = await keepOAuthApp(app, body);
      await notifyChange(deps.store.db, session.userId, 'github', null);
      return kept;
    },
    'DELETE /api/github/app': async ({ session }) => {
      const left = await forgetOAuthApp(app);
      await notifyChange(deps.store.db, session.userId, 'github', null);
      return left;
    },
    'POST /api/github/unlink': async ({ session }) => {
      const left = await unlink(deps, session, () => beforeUnlink(session));
      await note('account_unlinked', session);
      return left;
    },
    'GET /api/github/repositories': ({ session }) => listRepositories(deps, session),
    'POST /api/github/repositories/refresh': ({ session }) => refreshRepositories(deps, session),
  } satisfies Partial<Handlers>;
}
