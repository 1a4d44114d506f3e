/**
 * Settings for one console on one machine: small when idle, always durable (fsync and synchronous_commit stay on).
 * https://www.postgresql.org/docs/18/runtime-config.html
 */
export const serverSettings: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '40',
  shared_buffers: '32MB',
  work_mem: '8MB',
  maintenance_work_mem: '32MB',
  max_wal_size: '512MB',
  min_wal_size: '32MB',
  // Without replication, and with reads by the backends themselves, there are five processes fewer.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  io_method: 'sync',
  max_parallel_workers: '2',
  autovacuum_max_workers: '2',
  autovacuum_worker_slots: '2',
  huge_pages: 'off',
  jit: 'off',
  log_checkpoints: 'off',
  timezone: 'UTC',
};

/** Older versions refuse names that they do not know. */
const since18 = ['io_method', 'autovacuum_worker_slots'];

export function settingsOf(major: number): Record<string, string> {
  if (major >= 18) return serverSettings;
  return Object.fromEntries(Object.entries(serverSettings).filter(([name]) => !since18.includes(name)));
}

export function asArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
