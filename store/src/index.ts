export { loadArchive } from './archive/load-archive.ts';
export { type DataPlace, openBeside, openForBackup, openForRestore } from './archive/open-database.ts';
export { type ReadArchive, readArchive } from './archive/read-archive.ts';
export { confirmRestoration, type Restoration, readRestoration } from './archive/restoration.ts';
export { writeArchive } from './archive/write-archive.ts';
export { keepBackupRuns, type ReportedRun } from './backups/keep-runs.ts';
export type { Channel, Channels, Payload } from './channels.ts';
export { type KeptCluster, listKept, pruneKept } from './clusters/kept-clusters.ts';
export { databaseName, type OlderData, openStore, type Store, type StoreOptions } from './connect.ts';
export { countOwned, type Owned, weighRules } from './count-owned.ts';
export { readDataFacts } from './data-facts.ts';
export type * from './database.ts';
export { shippedPostgres } from './embedded/binaries.ts';
export { type EmbeddedServer, startEmbedded } from './embedded/server.ts';
export { type Listener, notify } from './listen.ts';
export { moveToNewerPostgres } from './newer-postgres/move-data.ts';
export { claimLook } from './notices/claim-look.ts';
export { type ClaimedMessage, claimMessage, claimMessages } from './notices/claim-messages.ts';
export { forgetNotices } from './notices/forget-notices.ts';
export { holdPlanning } from './notices/hold-planning.ts';
export { keepMessage, type MessageOutcome } from './notices/keep-message.ts';
export { muteNotices, type NoticeSubject } from './notices/mute-notices.ts';
export { planMessages, roomOfDestination } from './notices/plan-messages.ts';
export { raiseBackups } from './notices/raise-backups.ts';
export { raiseBrokenDestinations } from './notices/raise-broken-destinations.ts';
export { raiseCertificates } from './notices/raise-certificates.ts';
export { raiseConsoleBackups } from './notices/raise-console-backups.ts';
export { raiseFailedDeploys } from './notices/raise-failed-deploys.ts';
export { raiseFailedOperations } from './notices/raise-failed-operations.ts';
export { raiseOutages } from './notices/raise-outages.ts';
export { raiseProxyNews } from './notices/raise-proxy-news.ts';
export { raiseSilences } from './notices/raise-silences.ts';
export { type NewsFilter, readNewsPage, readNewsSubjects } from './notices/read-news-page.ts';
export { readMutes, readNotices } from './notices/read-notices.ts';
export { renewClaim } from './notices/renew-claim.ts';
export { raiseFillingDisks } from './notices/resources/raise-filling-disks.ts';
export { raiseFullDisks } from './notices/resources/raise-full-disks.ts';
export { raisePressure } from './notices/resources/raise-pressure.ts';
export { raiseReboots } from './notices/resources/raise-reboots.ts';
export { clockAhead } from './notices/store-clock.ts';
export { acknowledgeThread } from './notices/unanswered/acknowledge-thread.ts';
export { type MutedSubject, muteUntil } from './notices/unanswered/mute-until.ts';
export { planRepeats } from './notices/unanswered/plan-repeats.ts';
export { readMuted } from './notices/unanswered/read-muted.ts';
export { forgetSettled } from './notices/unanswered/second-destinations.ts';
export { type Owner, type OwnerRead, type OwnerWrite, ownerFromSession } from './owner.ts';
export {
  type ClaimedDomain,
  checkDomainsSoon,
  claimDomains,
  type DomainCertificate,
  type DomainOutcome,
  keepDomainCheck,
  type Owned as DomainOwned,
  type Pointing,
  takeName,
} from './proxies/domain-checks.ts';
export { forgetNames, nameIsFree } from './proxies/names.ts';
export {
  addPurge,
  addPurgeOf,
  forgetPurges,
  lastPurgesOf,
  latestPurge,
  type Purge,
  purgesAtOnce,
  readPurges,
} from './proxies/purges.ts';
export {
  type FreedRow,
  hasProxies,
  keepRefusal,
  notifyPlanes,
  readServed,
  readSiteChanges,
  type SiteChanges,
  type SiteRow,
} from './proxies/read-sites.ts';
export { addProxyUse, forgetProxyUse, type RuleUse, readProxyUse, type UsePoint } from './proxies/use.ts';
export { readMigrations } from './read-migrations.ts';
export { type RegularWork, repeatWork, untilNextTurn } from './regular-work.ts';
export { agentTokenHash, makeAgentToken } from './series/agent-token.ts';
export { type Course, fillHistory } from './series/fill-history.ts';
export {
  databaseSeries,
  findByToken,
  type KnownServer,
  keepProvider,
  nameContainers,
  namedContainers,
  shortContainerId,
} from './series/known-servers.ts';
export { dayMs, metricsOf, type RawRow, type SeriesKind } from './series/metrics.ts';
export { notifyReports } from './series/notify-reports.ts';
export { tendPartitions } from './series/partitions.ts';
export {
  type ChartKind,
  type ChartPoint,
  countPoints,
  findAppSeries,
  findDatabaseSeries,
  findServerSeries,
  readChart,
} from './series/read-chart.ts';
export {
  type ScrapedCheck,
  type ScrapedContainers,
  type ScrapedServer,
  scrapeChecks,
  scrapeContainers,
  scrapeServers,
} from './series/read-scrape.ts';
export {
  type AppStatsRow,
  type DatabaseStatsRow,
  readAppStats,
  readDatabaseStats,
  readDatabaseUse,
  readMeasured,
  readPoints,
  readStats,
  type SeriesPoint,
  type StatsRow,
} from './series/read-series.ts';
export { rollUp } from './series/rollup-sql.ts';
export { type ReportBatch, type ServerUpdate, writeReports } from './series/write-reports.ts';
export {
  isDataError,
  isDeadlock,
  isMissingPartition,
  isOtherSchema,
  isUniqueViolation,
} from './sql-state.ts';
export {
  type ClaimedStatusPage,
  claimStatusPages,
  makeStatusPageDue,
  tryStatusPageAgain,
} from './status-pages/claim-pages.ts';
export { countStatusMinutes } from './status-pages/count-minutes.ts';
export {
  keepStatusRenders,
  type StatusFile,
  type StatusRender,
  statusFiles,
} from './status-pages/keep-renders.ts';
export { listStatusPages, readStatusRenders } from './status-pages/read-renders.ts';
export {
  readStatusPage,
  type ShownComponent,
  type ShownPost,
  type ShownStatusPage,
  type StatusDay,
} from './status-pages/read-status-page.ts';
export { renderTimes } from './status-pages/render-times.ts';
export { isDiskFull, isUnavailable, StoreError, type StoreErrorCode } from './store-error.ts';
export {
  type ClaimedCheck,
  claimChecks,
  nextDue,
  readNeighbours,
  releaseChecks,
} from './uptime/claim-checks.ts';
export { type CheckOutcome, keepChecks } from './uptime/keep-checks.ts';
export { listUptime, readUptime, readUptimeSeries } from './uptime/read-uptime.ts';
export { readUptimeBars } from './uptime/read-uptime-bars.ts';
export { removeCheck, setUpCheck } from './uptime/set-up-check.ts';
export { watchSchema } from './watch-schema.ts';
