import type { Ceilings } from '@homeport/contract/limits';
import type { GithubDeps } from '../github/account.ts';
import type { AnyOperationDefinition } from '../operations/definition.ts';
import type { ServerAddresses } from '../remote/server-addresses.ts';
import { deployFirst } from './begin/deploy-first.ts';
import { addDomain } from './changes/add-domain.ts';
import { addStorage } from './changes/add-storage.ts';
import { changePlan } from './changes/change-plan.ts';
import { changePorts } from './changes/change-ports.ts';
import { controlApp } from './changes/control-app.ts';
import { createApp } from './changes/create-app.ts';
import { destroyApp } from './changes/destroy-app.ts';
import { enableHttps } from './changes/enable-https.ts';
import type { AtCloudflare } from './changes/own-domain.ts';
import { removeDomain } from './changes/remove-domain.ts';
import { removeLeftContainers } from './changes/remove-left-containers.ts';
import { changeChecks } from './checks/change-checks.ts';
import { checkHandlers } from './checks/handlers.ts';
import { deployCommit } from './commits/deploy-commit.ts';
import { goBack } from './commits/go-back.ts';
import { commitHandlers } from './commits/handlers.ts';
import { continuousHandlers } from './continuous/handlers.ts';
import { deploymentLeaving } from './continuous/leave.ts';
import { setUpDeployment } from './continuous/set-up-deployment.ts';
import { undoDeployment } from './continuous/undo-deployment.ts';
import { cronHandlers } from './cron/handlers.ts';
import { runTask } from './cron/run-task.ts';
import { resumeTask, suspendTask } from './cron/suspend-task.ts';
import { deployKeyHandlers } from './deploy-key/handlers.ts';
import { keyLeavingSteps, removeDeployKeyOperation } from './deploy-key/remove-key.ts';
import { appHandlers } from './handlers.ts';
import { oneOffHandlers } from './one-off/handlers.ts';
import { runCommandInApp } from './one-off/run-in-app.ts';
import { stopCommand } from './one-off/stop-command.ts';
import { changeRules } from './processes/change-rules.ts';
import { processHandlers } from './processes/handlers.ts';
import { restartProcess } from './processes/restart-process.ts';
import { scaleApp } from './processes/scale-app.ts';
import { changePushKeys } from './push-keys/change-push-keys.ts';
import { pushKeyHandlers } from './push-keys/handlers.ts';
import { releaseHandlers } from './releases/handlers.ts';
import { removeRelease } from './releases/remove-release.ts';
import { serveRelease } from './releases/serve-release.ts';
import { appSettingsHandlers, type SettingsDeps } from './settings-handlers.ts';
import { changeSite } from './site/change-site.ts';
import { siteHandlers } from './site/handlers.ts';
import { uptimeHandlers } from './uptime-handlers.ts';

/** The routes of apps and of their deployment from a repository at GitHub. */
export const appRoutes = (deps: SettingsDeps, github: GithubDeps) => ({
  ...appHandlers(deps),
  ...appSettingsHandlers(deps),
  ...processHandlers(deps),
  ...checkHandlers(deps),
  ...pushKeyHandlers(deps),
  ...siteHandlers(deps),
  ...releaseHandlers(deps),
  ...oneOffHandlers(deps),
  ...cronHandlers(deps),
  ...uptimeHandlers(deps),
  ...continuousHandlers(deps, github),
  ...commitHandlers(deps, github),
  ...deployKeyHandlers(deps, github),
});

type OperationDeps = {
  github: GithubDeps;
  appDomain: string | null;
  ceilings: Ceilings;
  removeOrphaned: Parameters<typeof destroyApp>[0]['removeOrphaned'];
  addresses: ServerAddresses;
} & AtCloudflare;

/** The kinds of operation on apps. */
export function appOperations(deps: OperationDeps) {
  const { github, appDomain, ceilings, removeOrphaned, pointAtApp, addresses } = deps;
  const { store } = github;
  const { db } = store;
  return [
    createApp({
      store,
      appDomain,
      addresses,
      most: ceilings.apps,
      pointAtApp,
      deployFirst: (context, longname, begin) => deployFirst(github, context, longname, begin),
    }),
    ...controlApp(store),
    destroyApp({
      store,
      removeOrphaned,
      leavePushes: (from) => deploymentLeaving(github, from, { isWhole: true }),
      keySteps: (of) => keyLeavingSteps(github, { of, isWhole: true }),
    }),
    changePlan({ db }),
    addDomain({ db }),
    removeDomain({ db, removeOrphaned }),
    enableHttps({ db }),
    addStorage(),
    changePorts({ db }),
    scaleApp(store),
    restartProcess(store),
    changeRules(store),
    changeChecks(),
    changePushKeys({ store }),
    changeSite(store),
    runCommandInApp(store),
    stopCommand(),
    suspendTask(),
    resumeTask(),
    runTask({ db }),
    removeLeftContainers(store),
    serveRelease(store),
    removeRelease(store),
    setUpDeployment(github),
    undoDeployment(github),
    deployCommit(github),
    goBack(store),
    removeDeployKeyOperation(github),
  ] satisfies AnyOperationDefinition[];
}
