import { createHash } from 'node:crypto';
import { appName, deployKeys, failureOf, homeport } from '@homeport/dokku';
import { askAs, type GithubDeps } from '../../github/account.ts';
import { GithubFailure, type Refusal } from '../../github/refusal.ts';
import { ProblemError } from '../../http/problem.ts';
import type { StepContext, StepOutcome } from '../../operations/definition.ts';
import { findApp } from '../../records/app-record.ts';
import { findServer } from '../../records/server-record.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { refuseNarrowGrant } from '../continuous/plan-deployment.ts';
import { holdReadOnlyKey, removeDeployKey } from './at-github.ts';
import { readGitHost } from './git-host.ts';
import { noteKeyEvent } from './note-key-event.ts';
import { noHostKeys, titleOf } from './plan-key.ts';
import { type DeployKeyRow, findDeployKey, keepDeployKey, toLeave } from './records.ts';

type Context = StepContext<{ appId: string; longname: string; repository: string }>;

/**
 * Has the server make the app's pair for this repository, or keep the whole one that it has. Only the public half comes back. The key of
 * another repository, and one that the server lost, goes from GitHub too.
 */
export async function makeKey(deps: GithubDeps, context: Context): Promise<StepOutcome | undefined> {
  const { owner, input } = context;
  const { appId, repository } = input;
  const scope = { owner, db: deps.store.db };
  const host = await askAs(deps, owner, 'give the keys of its git host', (ask) =>
    readGitHost(deps.settings, ask),
  );
  if (!host) throw new ProblemError('conflict', noHostKeys.text);
  const name = appName(input.longname);
  const ran = await context.run('apps', deployKeys.write(name, { ...host, repository }), { accept: 'any' });
  const failure = failureOf(ran);
  if (failure)
    throw new ProblemError(
      'remote_failed',
      homeport.isAbsent(ran)
        ? 'The server does not have Homeport’s Dokku plugin, or an older one, so it made no key.'
        : failureSentence(failure),
    );
  const publicKey = deployKeys.readWritten(ran, name);
  const before = await findDeployKey(scope, appId);
  if (before?.public_key === publicKey && before.repository === repository)
    return { note: 'The server has it already, and keeps it.' };
  const left = before && (await removeBefore(deps, context, before));
  const app = await findApp(scope, appId);
  const title = titleOf(await findServer(scope, app.server_id), app);
  const fingerprint = fingerprintOf(publicKey);
  const none = { github_id: null, refusal: null };
  await keepDeployKey(
    deps.store.db,
    owner,
    { appId, repository, title },
    { public_key: publicKey, fingerprint, ...none },
  );
  return left ? { state: 'warned', note: left } : { note: fingerprint };
}

/** A sentence about a key that may have stayed. Its private half is gone, so that it opens nothing. */
async function removeBefore(
  deps: GithubDeps,
  { owner }: Context,
  before: DeployKeyRow,
): Promise<string | null> {
  const key = toLeave(before);
  if (key === null) return null;
  try {
    await askAs(deps, owner, 'remove the key before', (ask) => removeDeployKey(ask, key));
    return null;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const stays = key.id === null ? 'may still be' : 'stays';
    return `The key before ${stays} at GitHub: “${before.title}” of ${before.repository}. Its private half is gone, so it opens nothing. ${error.message}`;
  }
}

/** As OpenSSH shows it: SHA-256 of the blob, without padding. */
function fingerprintOf(publicKey: string): string {
  const blob = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64');
  return `SHA256:${createHash('sha256').update(blob).digest('base64').slice(0, 43)}`;
}

/** Adds the public half at GitHub, as a key of this repository that only reads. Where GitHub refuses, nothing of the key is left. */
export async function addToGithub(deps: GithubDeps, context: Context): Promise<StepOutcome | undefined> {
  const { owner, input } = context;
  const { db } = deps.store;
  const row = await findDeployKey({ owner, db }, input.appId);
  const { repository } = input;
  if (!row?.public_key || row.repository !== repository)
    throw new ProblemError('conflict', 'The app has another deploy key by now. Nothing was deployed.');
  const { title, public_key: publicKey } = row;
  try {
    const held = await askAs(deps, owner, 'take the deploy key', async (ask, { scopes }) => {
      refuseNarrowGrant(scopes);
      return holdReadOnlyKey(ask, { repository, title, publicKey, id: row.github_id }).catch(
        (error: unknown) => {
          throw error instanceof GithubFailure && isFinal(error.refusal)
            ? new KeyRefused(error.refusal)
            : error;
        },
      );
    });
    if (held.id !== row.github_id)
      await keepDeployKey(db, owner, { appId: input.appId, repository, title }, { github_id: held.id });
    if (!held.isNew) return { state: 'skipped', note: 'GitHub has it already.' };
    await noteKeyEvent(deps, context, 'deploy_key_added', repository);
    return { note: title };
  } catch (error) {
    if (!(error instanceof KeyRefused)) throw error;
    return refuse(deps, context, { title, text: error.message });
  }
}

/** The same request gets the same answer until somebody changes something at GitHub. */
const isFinal = ({ kind }: Refusal) => kind === 'not_found' || kind === 'forbidden' || kind === 'invalid';

class KeyRefused extends Error {
  constructor(refusal: Refusal) {
    super(
      refusal.kind === 'not_found'
        ? 'GitHub does not let your account add keys to this repository: only its administrators may.'
        : `GitHub does not take a deploy key for this repository. It says: ${'told' in refusal ? shown(refusal.told) : ''}`,
    );
  }
}

/** GitHub's own words as one line of text. */
const shown = (told: string) =>
  told
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, 300);

async function refuse(
  deps: GithubDeps,
  context: Context,
  { title, text }: { title: string; text: string },
): Promise<never> {
  const { owner, input } = context;
  const { appId, repository } = input;
  await context.run('apps', deployKeys.remove(appName(input.longname)));
  const none = { public_key: null, fingerprint: null, github_id: null };
  await keepDeployKey(deps.store.db, owner, { appId, repository, title }, { ...none, refusal: text });
  throw new ProblemError('conflict', `${text} The key is gone from the server again. Nothing was deployed.`, {
    recovery: 'Choose “Deploy a commit” again: Homeport can pass an archive on, without a key.',
  });
}
