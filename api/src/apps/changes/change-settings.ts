import { planOf } from '@homeport/contract/apps/plans';
import { domainsPerApp } from '@homeport/contract/limits';
import { messages } from '@homeport/contract/messages';
import { appName, domainName, domains, letsencrypt, resource } from '@homeport/dokku';
import type { Database } from '@homeport/store';
import type { Kysely, Updateable } from 'kysely';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
} from '../../operations/definition.ts';
import { findApp, recordAppFacts } from '../../records/app-record.ts';
import { awaitLeftovers } from './await-leftovers.ts';
import { changedElsewhere } from './edit-app.ts';
import { restartIfDeployed } from './restart-if-deployed.ts';

type Deps = { db: Kysely<Database> };

const onApp = z.object({ appId: z.uuid(), longname: z.string() });
type OnApp = z.output<typeof onApp>;

async function record(
  deps: Deps,
  context: StepContext<OnApp>,
  facts: Updateable<Database['apps']>,
): Promise<void> {
  const row = await findApp({ owner: context.owner, db: deps.db }, context.input.appId);
  await recordAppFacts(deps.db, context.owner, row, facts);
}

const planInput = onApp.extend({ plan: z.number(), from: z.number() });

/** The new size is applied, the app restarted, the record saved: in the specification’s order, so the record never runs ahead. */
export function changePlan(deps: Deps): AnyOperationDefinition {
  return defineOperation<z.output<typeof planInput>>({
    kind: 'app.plan',
    input: planInput,
    title: ({ plan }) => `Change to plan ${plan}`,
    steps: () => [
      { key: 'limits', title: 'Apply the limits' },
      { key: 'restart', title: 'Restart the app' },
      { key: 'record', title: 'Save the record' },
    ],
    run: {
      limits: async (context) => {
        await refuseStalePlan(deps, context);
        await context.run(
          'apps',
          resource.limit(appName(context.input.longname), planOf(context.input.plan)),
        );
        await context.toast('ok', messages.appPlanSelected);
        return undefined;
      },
      restart: async (context) => {
        const skipped = await restartIfDeployed(context);
        if (!skipped) await context.toast('ok', messages.appRestarted);
        return skipped;
      },
      record: async (context) => {
        await record(deps, context, { plan: context.input.plan });
        await context.toast('ok', messages.appUpdated);
        return undefined;
      },
    },
    beforeRepeat: awaitLeftovers,
  });
}

/** Another change may have been waiting before this one: it must not be overwritten unseen. */
async function refuseStalePlan(deps: Deps, context: StepContext<z.output<typeof planInput>>): Promise<void> {
  const row = await findApp({ owner: context.owner, db: deps.db }, context.input.appId);
  if (row.plan !== context.input.from && row.plan !== context.input.plan) throw changedElsewhere(row);
}

const domainInput = onApp.extend({ domain: z.string() });

export function addDomain(deps: Deps): AnyOperationDefinition {
  return defineOperation<z.output<typeof domainInput>>({
    kind: 'app.domain-add',
    input: domainInput,
    title: ({ domain }) => `Adding ${domain}`,
    steps: () => [
      { key: 'add', title: 'Add the domain' },
      { key: 'read', title: 'Read the app’s domains' },
    ],
    run: {
      add: async (context) => {
        await refuseMoreDomains(deps, context);
        await context.run(
          'apps',
          domains.add(appName(context.input.longname), domainName(context.input.domain)),
          { deadlineMs: 180_000 },
        );
        return undefined;
      },
      read: async (context) => {
        const present = await readDomains(context);
        // Dokku reports success and overwrites the first domain of an app that was born without a global one.
        if (!present.includes(context.input.domain)) {
          await context.run(
            'apps',
            domains.add(appName(context.input.longname), domainName(context.input.domain)),
            { deadlineMs: 180_000 },
          );
        }
        await record(deps, context, { domains: await readDomains(context) });
        await context.toast('ok', messages.domainAdded);
        return undefined;
      },
    },
    beforeRepeat: awaitLeftovers,
  });
}

/** Work on one app runs one at a time, so nobody adds another domain between this look and the addition. */
async function refuseMoreDomains(
  deps: Deps,
  context: StepContext<z.output<typeof domainInput>>,
): Promise<void> {
  const row = await findApp({ owner: context.owner, db: deps.db }, context.input.appId);
  if (row.domains.length < domainsPerApp || row.domains.includes(context.input.domain)) return;
  throw new ProblemError(
    'limit_reached',
    `This app has ${domainsPerApp} domains, which is the most for one app. Nothing was added; what it has is kept.`,
    { recovery: 'Remove a domain that the app no longer needs, then try again.' },
  );
}

export function removeDomain(deps: Deps): AnyOperationDefinition {
  return defineOperation<z.output<typeof domainInput>>({
    kind: 'app.domain-remove',
    input: domainInput,
    title: ({ domain }) => `Removing ${domain}`,
    steps: () => [
      { key: 'remove', title: 'Remove the domain' },
      { key: 'read', title: 'Read the app’s domains' },
    ],
    run: {
      remove: async (context) => {
        // Of a repeated step the first look counts: what its earlier try took beside the domain is not there any more.
        if (!context.facts.before) await context.remember({ before: await readDomains(context) });
        await context.run(
          'apps',
          domains.remove(appName(context.input.longname), domainName(context.input.domain)),
          { deadlineMs: 180_000 },
        );
        return undefined;
      },
      read: async (context) => {
        const before = z.array(z.string()).parse(context.facts.before);
        // In Dokku’s removal a dot matches any character: what went beside the domain is put back.
        const lost = before.filter((each) => each !== context.input.domain && !context.signal.aborted);
        const after = await readDomains(context);
        const alsoGone = lost.filter((each) => !after.includes(each));
        if (alsoGone.length > 0) {
          await context.run(
            'apps',
            domains.add(appName(context.input.longname), ...alsoGone.map((each) => domainName(each))),
            { deadlineMs: 180_000 },
          );
        }
        await record(deps, context, { domains: await readDomains(context) });
        await context.toast('ok', messages.domainRemoved);
        return undefined;
      },
    },
    beforeRepeat: awaitLeftovers,
  });
}

async function readDomains(context: StepContext<OnApp>): Promise<string[]> {
  return [
    ...domains.readReport(
      await context.run('apps', domains.report(appName(context.input.longname)), { quiet: true }),
    ).domains,
  ];
}

const httpsInput = onApp.extend({ email: z.string() });

export function enableHttps(deps: Deps): AnyOperationDefinition {
  return defineOperation<z.output<typeof httpsInput>>({
    kind: 'app.https',
    input: httpsInput,
    title: () => 'Enabling HTTPS',
    steps: () => [
      { key: 'email', title: 'Set the e-mail for the certificate authority' },
      { key: 'enable', title: 'Get the certificate' },
      { key: 'renewal', title: 'Renew it by itself' },
    ],
    run: {
      email: async (context) => {
        await context.run('apps', letsencrypt.setEmail(appName(context.input.longname), context.input.email));
        await context.toast('ok', messages.letsEncryptEmailAdded);
        return undefined;
      },
      enable: async (context) => {
        await context.run('apps', letsencrypt.enable(appName(context.input.longname)), {
          deadlineMs: 5 * 60_000,
        });
        await record(deps, context, { https: true });
        await context.toast('ok', messages.httpsEnabled);
        return undefined;
      },
      renewal: async (context) => {
        const added = await context.run('apps', letsencrypt.addCronJob(), { accept: 'any' });
        return added.exitCode === 0
          ? undefined
          : { state: 'warned', note: 'The certificate is there, but its renewal could not be scheduled.' };
      },
    },
    beforeRepeat: awaitLeftovers,
  });
}
