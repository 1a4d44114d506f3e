export type { Channel, Channels, Payload } from './channels.ts';
export { databaseName, openStore, type Store, type StoreOptions } from './connect.ts';
export { countOwned, type Owned } from './count-owned.ts';
export type * from './database.ts';
export { type EmbeddedServer, startEmbedded } from './embedded/server.ts';
export { type Listener, notify } from './listen.ts';
export { type Owner, type OwnerRead, type OwnerWrite, ownerFromSession } from './owner.ts';
export { agentTokenHash, makeAgentToken } from './series/agent-token.ts';
export { fillHistory, type HistoryOptions } from './series/fill-history.ts';
export {
  findByToken,
  type KnownServer,
  nameContainers,
  shortContainerId,
} from './series/known-servers.ts';
export { dayMs, keptDays, metricsOf, type RawRow, type SeriesKind } from './series/metrics.ts';
export { tendPartitions } from './series/partitions.ts';
export {
  type AppStatsRow,
  readAppStats,
  readMeasured,
  readPoints,
  readStats,
  type SeriesPoint,
  type StatsRow,
} from './series/read-series.ts';
export { rollUp } from './series/rollup-sql.ts';
export { type ReportBatch, type ServerUpdate, writeReports } from './series/write-reports.ts';
export { isDataError, isDeadlock, isMissingPartition, isUniqueViolation } from './sql-state.ts';
export { isDiskFull, isUnavailable, StoreError, type StoreErrorCode } from './store-error.ts';
export { type ClaimedCheck, claimChecks, nextDue, releaseChecks } from './uptime/claim-checks.ts';
export { type CheckOutcome, keepChecks } from './uptime/keep-checks.ts';
export { listUptime, readUptime, readUptimeSeries } from './uptime/read-uptime.ts';
export { removeCheck, setUpCheck } from './uptime/set-up-check.ts';
export type { Standing } from './uptime/standing.ts';
