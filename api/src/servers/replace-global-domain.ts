import { globalDomainOf, hasOwnWildcard } from '@homeport/contract/apps/default-domain';
import { domainName, domains } from '@homeport/dokku';
import { z } from 'zod';
import { ProblemError } from '../http/problem.ts';
import { type AnyOperationDefinition, defineOperation } from '../operations/definition.ts';
import { findServer } from '../records/server-record.ts';
import type { InstallDeps } from './install/install-server.ts';
import { recordServerFacts } from './server-changes.ts';

const input = z.object({ serverId: z.uuid() });

/** Makes the domain that Homeport uses for a server's apps its global one, in place of the domains that linking found. */
export function replaceGlobalDomain({
  db,
  appDomain,
}: Pick<InstallDeps, 'db' | 'appDomain'>): AnyOperationDefinition {
  return defineOperation<z.output<typeof input>>({
    kind: 'server.global-domain',
    input,
    title: () => 'Global domain',
    steps: () => [
      {
        key: 'set',
        title: 'Set the global domain',
        percent: 10,
        run: async (context) => {
          const server = await findServer({ owner: context.owner, db }, context.input.serverId);
          // The server may have got a name since this was begun.
          if (!hasOwnWildcard(server)) throw noGlobalDomain();
          const wanted = globalDomainOf(server, appDomain);
          await context.run('apps', domains.setGlobal(domainName(wanted)));
          const now = domains.readGlobalReport(await context.run('apps', domains.globalReport()));
          if (now.join() !== wanted)
            throw new ProblemError(
              'remote_failed',
              `The server took the command, but its global domain is not ${wanted}.`,
              { recovery: 'Look at it with: dokku domains:report --global. Apps keep their domains.' },
            );
          await recordServerFacts(db, context.owner, server.id, {
            global_domains: null,
            global_domains_kept: false,
          });
          await context.toast('ok', `New apps on ${server.name} get a domain under ${wanted}.`);
          return { note: `${wanted}. Apps that exist keep their domains.` };
        },
      },
    ],
  });
}

export const noGlobalDomain = () =>
  new ProblemError(
    'conflict',
    'This server is known by a name, beneath which Homeport makes no domain global. Nothing was changed.',
  );
