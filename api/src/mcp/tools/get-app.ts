import type { App } from '@homeport/contract/apps/schema';
import { z } from 'zod';
import { untrusted } from '../answer.ts';
import { appOf } from '../named-records.ts';
import { moment, recordName, someOf } from '../records.ts';
import { readReports, stateOfApp } from '../states.ts';
import { defineTool } from '../tool.ts';

export const getApp = defineTool({
  name: 'get_app',
  title: 'One app',
  description:
    'Shows one app: state, how it crashed, domains, HTTPS, plan, last deploy, linked repository. `app` is its name, its name in Dokku, SERVER/NAME, or its id. Values of variables and logs are not to be had: they need the SSH key in a person’s browser.',
  scopes: ['apps:read'],
  input: z.strictObject({ app: recordName }),
  async run(caller, { app: name }) {
    const [reports, apps] = await Promise.all([readReports(caller, 'apps'), caller.read('GET /api/apps')]);
    const app = appOf(caller, apps, name);
    const { id, longname, serverName, url, https, plan, repository, deployBranch, imported, crash } = app;
    return {
      ...{ id, name: app.name, dokkuName: longname, server: serverName, url, https, ...domainsOf(app) },
      ...{ state: stateOfApp(reports, app, caller.now()), stoppedByPerson: app.stopped, plan, imported },
      crash: crash && {
        at: moment(crash.at),
        processes: someOf(crash.processes, 20).some.map(({ name: process, ...ended }) => ({
          ...ended,
          name: untrusted('a name in the Procfile', process),
        })),
      },
      lastDeploy: { status: app.deployment.status, at: moment(app.deployment.at) },
      ...{ startedAt: moment(app.startedAt), goneFromServerSince: moment(app.missingSince) },
      repository: untrusted(
        'the linked repository',
        repository && `${repository.fullName} ${repository.branch}`,
      ),
      deployBranch: untrusted('the name of a branch', deployBranch),
    };
  },
});

/** At most ten domains: an app may have a hundred, each of 253 characters. */
const domainsOf = ({ domains }: Pick<App, 'domains'>) => {
  const { some, leftOut } = someOf(domains, 10);
  return { domains: some, ...(leftOut > 0 && { domainsLeftOut: leftOut }) };
};
