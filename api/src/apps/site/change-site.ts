import type { SiteField } from '@homeport/contract/apps/site/facts';
import { siteChangesSchema } from '@homeport/contract/apps/site/schema';
import { type AppName, appName, homeport, nginx, proxy, sites } from '@homeport/dokku';
import type { Store } from '@homeport/store';
import type { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { readAgain } from '../changes/control-app.ts';
import { onAppInput } from '../changes/on-app.ts';
import { refusalOf } from './site-endings.ts';

const siteInput = onAppInput.extend(siteChangesSchema.shape);
type SiteInput = z.output<typeof siteInput>;
type Context = StepContext<SiteInput>;

/**
 * Sets how nginx serves an app, and has its configuration built. nginx serves every app of the server: while it refuses the configuration of
 * one, no other app can be changed. So the plugin puts back what stood there before where nginx refuses.
 */
export function changeSite(deps: Pick<Store, 'db' | 'pool'>): AnyOperationDefinition {
  return defineOperation<SiteInput>({
    kind: 'app.site',
    input: siteInput,
    title: () => 'Change of the site',
    steps: () => [
      { key: 'set', title: 'Compare with the server, and have nginx take the values', run: setAndBuild },
      {
        key: 'read',
        title: 'Read the values again',
        run: async (context) => {
          await compareAgain(context);
          const outcome = await warnOfHsts(context);
          await readAgain(deps, context);
          await context.toast('ok', context.input.changes.length > 0 ? 'Site changed' : 'Site built');
          return outcome;
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
    onFailure: (context) => readAgain(deps, context),
  });
}

const askReport = (context: Context, app: AppName) => context.run('apps', nginx.report(app), { quiet: true });

/** The plugin ends with all of it, or with everything as it was, also when the connection is lost. So a repeated step compares again. */
async function setAndBuild(context: Context): Promise<undefined> {
  const app = appName(context.input.longname);
  const { changes } = context.input;
  const [report, served] = await Promise.all([
    askReport(context, app),
    context.run('apps', proxy.report(app), { accept: 'any', quiet: true }),
  ]);
  refuseOtherProxy(served.exitCode === 0 ? proxy.readType(served) : 'nginx');
  const values = nginx.readReport(report);
  for (const { field, from, to } of changes) {
    const now = values[field].set;
    if (now !== from && now !== to) throw changedSince(field, now, from);
  }
  // Also where the server has the values already: they may be set, and nginx may serve without them.
  const ran = await context.run('apps', sites.write(app, changes), {
    accept: 'any',
    deadlineMs: 10 * 60_000,
  });
  if (ran.exitCode !== 0) throw refusalOf(app, ran);
}

function refuseOtherProxy(type: string | null): void {
  if (type === 'nginx') return;
  throw new ProblemError(
    'conflict',
    `${type === null ? 'The proxy of the app is switched off' : `${type} serves the app, and not nginx`}. Nothing was changed.`,
  );
}

const inWords: Readonly<Record<SiteField, string>> = {
  uploadLimit: 'largest upload',
  answerTimeout: 'wait for an answer',
  hsts: 'HSTS',
  hstsSeconds: 'time of HSTS',
  hstsSubdomains: 'HSTS of subdomains',
};

function changedSince(field: SiteField, now: string | null, from: string | null): ProblemError {
  const said = (value: string | null) => value ?? 'unset';
  return new ProblemError(
    'conflict',
    `On the server, ${inWords[field]} is ${said(now)} by now, and not ${said(from)}. Nothing was changed.`,
    { recovery: 'Look at the values that the server has now, and change them anew.' },
  );
}

/** Dokku reports success for whatever it keeps. */
async function compareAgain(context: Context): Promise<void> {
  const values = nginx.readReport(await askReport(context, appName(context.input.longname)));
  const other = context.input.changes.find(({ field, to }) => values[field].set !== to);
  if (other)
    throw new ProblemError(
      'remote_failed',
      `On the server, ${inWords[other.field]} has another value than asked.`,
    );
}

/** Dokku writes the header of HSTS anew only where a web process runs. Until then nginx sends the one from before. */
async function warnOfHsts(context: Context): Promise<StepOutcome | undefined> {
  const { changes, longname } = context.input;
  if (changes.length > 0 && !changes.some(({ field }) => field.startsWith('hsts'))) return undefined;
  const ran = await context.run('apps', homeport.state(appName(longname)), { accept: 'any', quiet: true });
  // The change holds, whatever the server tells of its processes.
  if (ran.exitCode !== 0) return undefined;
  const app = homeport.readState(ran);
  const runs = app?.processes.processes.some(
    ({ name, state }) => /^web\.\d/.test(name) && state === 'running',
  );
  return runs ? undefined : { state: 'warned', note: 'HSTS changes with the next start of a web process.' };
}
