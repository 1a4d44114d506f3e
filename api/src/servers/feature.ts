import type { Ceilings } from '@homeport/contract/limits';
import type { Store } from '@homeport/store';
import type { AnyOperationDefinition } from '../operations/definition.ts';
import type { ServerAddresses } from '../remote/server-addresses.ts';
import { importApps } from './import/import-apps.ts';
import { importDatabases } from './import/import-databases.ts';
import { addDokku } from './install/add-dokku.ts';
import { installServer } from './install/install-server.ts';
import { followAddress } from './move/follow-address.ts';
import { reinstallAgent } from './reinstall-agent.ts';
import { removeServerOperation } from './remove-server.ts';
import { replaceGlobalDomain } from './replace-global-domain.ts';
import { createReportUrl } from './report-url.ts';
import { updateAccount } from './update-account.ts';
import { updatePlugin } from './update-plugin.ts';

/** Where agents report to, and what they measure. */
export const agentReports = (
  { publicUrl, pings }: { publicUrl: string; pings: AgentPings },
  addresses: ServerAddresses,
) => ({ reportUrl: createReportUrl({ publicUrl, addresses }), pings });

type AgentPings = Parameters<typeof installServer>[0]['pings'];

type OperationDeps = Pick<
  Parameters<typeof installServer>[0],
  'appDomain' | 'makeWildcard' | 'reportUrl' | 'pings'
> &
  Pick<Parameters<typeof followAddress>[0], 'changeAddresses'> &
  Omit<Parameters<typeof removeServerOperation>[0], 'db'> & { store: Store; ceilings: Ceilings };

/** The kinds of operation on servers. The routes stand in `handlers.ts`. */
export function serverOperations(deps: OperationDeps) {
  const { store, appDomain, ceilings } = deps;
  const onServers = { ...deps, db: store.db };
  return [
    installServer(onServers),
    addDokku(onServers),
    reinstallAgent(onServers),
    updateAccount(onServers),
    updatePlugin(onServers),
    replaceGlobalDomain(onServers),
    followAddress(onServers),
    removeServerOperation(onServers),
    importApps({ store, appDomain, ceilings }),
    importDatabases({ store, most: ceilings.databases }),
  ] satisfies AnyOperationDefinition[];
}
