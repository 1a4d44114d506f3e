import type { OperationKind } from '@homeport/contract/operations/facts';
import type { TerminalEndReason } from '@homeport/contract/terminals/facts';
import type { AppDeps, Asking } from '../apps/reach-app.ts';
import { locateApp } from '../apps/reach-app.ts';
import { ProblemError } from '../http/problem.ts';
import type { Changes } from '../live/changes.ts';

/** Work on an app that replaces or stops its containers. */
const replacing: readonly OperationKind[] = [
  ...(['app.stop', 'app.restart', 'app.rebuild', 'app.destroy', 'app.plan', 'app.storage'] as const),
  ...(['app.scale', 'app.restart-process', 'app.process-rules', 'app.deploy-commit'] as const),
];

type Watch = {
  appId: string;
  signal: AbortSignal;
  onEnd: (why: TerminalEndReason) => void;
  onReplacing: () => void;
};

/**
 * Ends a terminal when its right is taken back, from any page and any process of the console, and hears of work that replaces the app's
 * containers. Resolves when changes from now on are heard; the caller asks for the right after that.
 */
export async function watchRight(
  { store, changes }: Pick<AppDeps, 'store'> & { changes: Changes },
  asking: Asking,
  { appId, signal, onEnd, onReplacing }: Watch,
): Promise<void> {
  const heard = changes.follow(asking.userId, { lastEventId: null }, signal);
  await heard.next();
  let replaced = false;
  const look = async () => {
    const { app, server } = await locateApp({ store }, asking, appId);
    if (!server.commands_allowed) return onEnd('forbidden');
    const work = await store.db
      .selectFrom('operations')
      .select('id')
      .where('owner_id', '=', app.owner_id)
      .where('app_id', '=', appId)
      .where('state', '=', 'running')
      .where('kind', 'in', replacing)
      .executeTakeFirst();
    if (work && !replaced) onReplacing();
    replaced = work !== undefined;
  };
  const follow = async () => {
    for await (const item of heard) {
      const topic = item?.data.topic;
      if (topic === 'servers' || topic === 'apps' || topic === 'operations') await look();
    }
  };
  follow().catch((error: unknown) => {
    // Whoever cannot ask for the right has none.
    onEnd(error instanceof ProblemError && error.code === 'not_found' ? 'gone' : 'forbidden');
  });
}
