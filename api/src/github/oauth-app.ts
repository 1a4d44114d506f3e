import type { GithubApp } from '@homeport/contract/github/schema';
import type { RouteParsed } from '@homeport/contract/routes';
import type { Store } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import { consolePlace, SealBroken, type Sealer } from '../sealing/sealer.ts';
import type { GithubConfiguration, OAuthApp } from './settings.ts';

/** The name of the row, and what its seal is for. */
const name = 'github_app';
const place = consolePlace(name);

export type OAuthAppDeps = {
  store: Store;
  sealer: Sealer;
  settings: GithubConfiguration;
  publicUrl: string;
  clock: () => number;
};

const findRow = ({ store }: OAuthAppDeps) =>
  store.db.selectFrom('console_credentials').selectAll().where('name', '=', name).executeTakeFirst();

/** The app of the settings, or the one that the owner entered on a page. Null without one, and where its seal no longer opens. */
export async function readOAuthApp(deps: OAuthAppDeps): Promise<OAuthApp | null> {
  if (deps.settings.app) return deps.settings.app;
  const row = await findRow(deps);
  if (!row) return null;
  try {
    return await deps.sealer.open(place, row.sealed, (secret) => ({
      clientId: row.shown,
      clientSecret: secret.toString(),
    }));
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}

export async function showOAuthApp(deps: OAuthAppDeps): Promise<GithubApp> {
  const { settings, publicUrl } = deps;
  const shown = {
    newAppPage: `${settings.site}/settings/applications/new`,
    callbackUrl: new URL(publicUrl).origin,
  };
  if (settings.app) return { ...shown, clientId: settings.app.clientId, from: 'settings' };
  const app = await readOAuthApp(deps);
  return { ...shown, clientId: app?.clientId ?? null, from: app && 'page' };
}

/** Throws `conflict` where the settings name an app: they win, so another one here would do nothing. */
export async function keepOAuthApp(
  deps: OAuthAppDeps,
  { client, secret }: RouteParsed<'PUT /api/github/app'>['body'],
): Promise<GithubApp> {
  refuseSettings(deps);
  const bytes = Buffer.from(secret);
  const values = { shown: client, sealed: deps.sealer.seal(place, bytes), changed_at: deps.clock() };
  bytes.fill(0);
  await deps.store.db
    .insertInto('console_credentials')
    .values({ name, ...values })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
    .execute();
  return showOAuthApp(deps);
}

export async function forgetOAuthApp(deps: OAuthAppDeps): Promise<GithubApp> {
  refuseSettings(deps);
  await deps.store.db.deleteFrom('console_credentials').where('name', '=', name).execute();
  return showOAuthApp(deps);
}

function refuseSettings({ settings }: OAuthAppDeps): void {
  if (settings.app === null) return;
  throw new ProblemError(
    'conflict',
    'The OAuth app stands in the settings with which the console is started.',
    {
      recovery: 'Change it there, and start the console again.',
    },
  );
}
