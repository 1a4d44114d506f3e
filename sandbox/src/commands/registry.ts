import type { SandboxCommand } from '../machine/call.ts';
import { aclAdd, aclList, aclRemove } from './acl.ts';
import { appsCreate } from './apps/apps-create.ts';
import { appsDestroy } from './apps/apps-destroy.ts';
import { appsExists } from './apps/apps-exists.ts';
import { appsList } from './apps/apps-list.ts';
import { appsLock, appsLocked, appsUnlock } from './apps/apps-lock.ts';
import { appsReport } from './apps/apps-report.ts';
import { appsSet } from './apps/apps-set.ts';
import { buildsList, buildsOutput } from './builds.ts';
import { checksDisable, checksEnable, checksReport, checksSet, checksSkip } from './checks.ts';
import { configExport, configKeys } from './config/config-export.ts';
import { configImport } from './config/config-import.ts';
import { configSet } from './config/config-set.ts';
import { configUnset } from './config/config-unset.ts';
import { cronList } from './cron/cron-list.ts';
import { cronRun } from './cron/cron-run.ts';
import { cronResume, cronSuspend } from './cron/cron-suspend.ts';
import { domainsAdd, domainsRemove, domainsReport, domainsSetGlobal } from './domains.ts';
import { events, eventsList, eventsOff, eventsOn } from './events.ts';
import { gitFromArchive } from './git-from-archive.ts';
import { gitReport } from './git-report.ts';
import { gitSet } from './git-set.ts';
import { gitSync } from './git-sync.ts';
import {
  letsencryptActive,
  letsencryptCronJob,
  letsencryptEnable,
  letsencryptReport,
  letsencryptSet,
} from './letsencrypt.ts';
import { logs } from './logs.ts';
import { networkSet } from './network-set.ts';
import { nginxReload, nginxReport, nginxSet, nginxValidateConfig } from './nginx.ts';
import { pluginInstall, pluginInstalled, pluginList } from './plugin.ts';
import { pluginDisable, pluginEnable } from './plugin-files.ts';
import { portsClear, portsList, portsReport, portsSet } from './ports.ts';
import { proxyBuildConfig, proxyReport } from './proxy.ts';
import { psInspect } from './ps/ps-inspect.ts';
import { psRebuild } from './ps/ps-rebuild.ts';
import { psReport } from './ps/ps-report.ts';
import { psRestart } from './ps/ps-restart.ts';
import { psScale } from './ps/ps-scale.ts';
import { psSet } from './ps/ps-set.ts';
import { psStart } from './ps/ps-start.ts';
import { psStop } from './ps/ps-stop.ts';
import { resourceLimit, resourceLimitClear, resourceReport } from './resource.ts';
import { run } from './run/run.ts';
import { runDetached } from './run/run-detached.ts';
import { runList } from './run/run-list.ts';
import { runLogs } from './run/run-logs.ts';
import { runStop } from './run/run-stop.ts';
import { serviceCommands } from './services/service-commands.ts';
import { sshKeysAdd } from './ssh-keys/ssh-keys-add.ts';
import { sshKeysList } from './ssh-keys/ssh-keys-list.ts';
import { sshKeysRemove } from './ssh-keys/ssh-keys-remove.ts';
import { storageCreate, storageList, storageMount, storageUnmount } from './storage/storage.ts';
import { storageEnsureDirectory } from './storage/storage-by-path.ts';
import { storageDestroy, storageListEntries } from './storage/storage-entries.ts';
import { enter } from './terminal/enter.ts';
import { urls } from './urls.ts';
import { version, versionFlag } from './version.ts';

/** Every command that the sandbox answers. A new command needs a file and a line here. */
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
  checksDisable,
  checksEnable,
  checksReport,
  checksSet,
  checksSkip,
  networkSet,
  nginxReload,
  nginxReport,
  nginxSet,
  nginxValidateConfig,
  proxyBuildConfig,
  proxyReport,
  configExport,
  configImport,
  configKeys,
  configSet,
  configUnset,
  cronList,
  cronResume,
  cronRun,
  cronSuspend,
  domainsAdd,
  enter,
  domainsRemove,
  domainsReport,
  domainsSetGlobal,
  events,
  eventsList,
  eventsOff,
  eventsOn,
  gitFromArchive,
  gitReport,
  gitSet,
  gitSync,
  letsencryptActive,
  letsencryptCronJob,
  letsencryptEnable,
  letsencryptReport,
  letsencryptSet,
  logs,
  pluginDisable,
  pluginEnable,
  pluginInstall,
  pluginInstalled,
  pluginList,
  portsClear,
  portsList,
  portsReport,
  portsSet,
  psInspect,
  psRebuild,
  psReport,
  psRestart,
  psScale,
  psSet,
  psStart,
  psStop,
  resourceLimit,
  resourceLimitClear,
  resourceReport,
  run,
  runDetached,
  runList,
  runLogs,
  runStop,
  ...serviceCommands,
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
