import type { RouteParsed } from '@homeport/contract/routes';
import type { Uptime } from '@homeport/contract/uptime/schema';
import { type OwnerWrite, readUptime, removeCheck, setUpCheck } from '@homeport/store';
import { notFound, ProblemError } from '../../http/problem.ts';
import { notifyChange } from '../../live/notify-change.ts';
import { findApp } from '../../records/app-record.ts';

/** Has the app checked at one of its domains. Throws `invalid_input` for a domain that is not the app's. */
export async function setUpUptime(
  scope: OwnerWrite,
  id: string,
  { domain, path }: RouteParsed<'PUT /api/apps/:id/uptime'>['body'],
): Promise<Uptime> {
  const app = await findApp(scope, id);
  if (!app.domains.includes(domain)) {
    throw new ProblemError('invalid_input', 'The check needs one of the app’s domains.', {
      fields: { domain: 'Choose one of the app’s domains.' },
    });
  }
  await setUpCheck(scope, { appId: id, domain, path, now: Date.now() });
  await notifyChange(scope.db, scope.owner, 'apps', id);
  const uptime = await readUptime(scope, id);
  if (!uptime) throw notFound('app');
  return uptime;
}

/** Removing a check that does not exist succeeds. */
export async function removeUptime(scope: OwnerWrite, id: string): Promise<{ removed: true }> {
  await findApp(scope, id);
  if (await removeCheck(scope, id)) await notifyChange(scope.db, scope.owner, 'apps', id);
  return { removed: true };
}
