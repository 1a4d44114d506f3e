import type { SandboxCommand } from '../program/call.ts';
import { aclAdd, aclList, aclRemove } from './acl.ts';
import { appsCreate } from './apps-create.ts';
import { appsDestroy } from './apps-destroy.ts';
import { appsExists } from './apps-exists.ts';
import { appsList } from './apps-list.ts';
import { appsLock, appsLocked, appsUnlock } from './apps-lock.ts';
import { appsReport } from './apps-report.ts';
import { appsSet } from './apps-set.ts';
import { buildsList, buildsOutput } from './builds.ts';
import { checksReport } from './checks-report.ts';
import { configExport, configKeys } from './config-export.ts';
import { configImport } from './config-import.ts';
import { configSet } from './config-set.ts';
import { configUnset } from './config-unset.ts';
import { domainsAdd, domainsRemove, domainsReport, domainsSetGlobal } from './domains.ts';
import { events, eventsList, eventsOff, eventsOn } from './events.ts';
import { gitReport } from './git-report.ts';
import { gitSet } from './git-set.ts';
import {
  letsencryptActive,
  letsencryptCronJob,
  letsencryptEnable,
  letsencryptReport,
  letsencryptSet,
} from './letsencrypt.ts';
import { logs } from './logs.ts';
import { pluginInstall, pluginInstalled, pluginList } from './plugin.ts';
import { portsList, portsReport, portsSet } from './ports.ts';
import { proxyReport } from './proxy-report.ts';
import { psInspect } from './ps-inspect.ts';
import { psRebuild } from './ps-rebuild.ts';
import { psReport } from './ps-report.ts';
import { psRestart } from './ps-restart.ts';
import { psScale } from './ps-scale.ts';
import { psStart } from './ps-start.ts';
import { psStop } from './ps-stop.ts';
import { resourceLimit, resourceLimitClear, resourceReport } from './resource.ts';
import { sshKeysAdd } from './ssh-keys-add.ts';
import { sshKeysList } from './ssh-keys-list.ts';
import { sshKeysRemove } from './ssh-keys-remove.ts';
import { storageCreate, storageList, storageMount, storageUnmount } from './storage.ts';
import { storageEnsureDirectory } from './storage-by-path.ts';
import { storageDestroy, storageListEntries } from './storage-entries.ts';
import { urls } from './urls.ts';
import { version, versionFlag } from './version.ts';

/** Every command that the sandbox answers; a further command is a further file and a line here. */
const all: readonly SandboxCommand[] = [
  aclAdd,
  aclList,
  aclRemove,
  appsCreate,
  appsDestroy,
  appsExists,
  appsList,
  appsLock,
  appsLocked,
  appsReport,
  appsSet,
  appsUnlock,
  buildsList,
  buildsOutput,
  checksReport,
  proxyReport,
  configExport,
  configImport,
  configKeys,
  configSet,
  configUnset,
  domainsAdd,
  domainsRemove,
  domainsReport,
  domainsSetGlobal,
  events,
  eventsList,
  eventsOff,
  eventsOn,
  gitReport,
  gitSet,
  letsencryptActive,
  letsencryptCronJob,
  letsencryptEnable,
  letsencryptReport,
  letsencryptSet,
  logs,
  pluginInstall,
  pluginInstalled,
  pluginList,
  portsList,
  portsReport,
  portsSet,
  psInspect,
  psRebuild,
  psReport,
  psRestart,
  psScale,
  psStart,
  psStop,
  resourceLimit,
  resourceLimitClear,
  resourceReport,
  sshKeysAdd,
  sshKeysList,
  sshKeysRemove,
  storageCreate,
  storageDestroy,
  storageEnsureDirectory,
  storageList,
  storageListEntries,
  storageMount,
  storageUnmount,
  urls,
  version,
  versionFlag,
];

export const commands: ReadonlyMap<string, SandboxCommand> = new Map(
  all.map((command) => [command.name, command]),
);
