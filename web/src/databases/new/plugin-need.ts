import type { DatabasePlugins } from '@homeport/contract/databases/schema';
import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';

/** Whether the server's Dokku has the plugin that makes databases of a type. */
export type PluginNeed =
  /** The server was not asked yet, or did not answer. */
  | { kind: 'unknown' }
  | { kind: 'present'; version: string; imageVersion: string | null }
  /** The person must agree that `installer`, a login that can become root, installs the plugin. */
  | { kind: 'missing'; installer: string }
  /** No account of the server can become root. */
  | { kind: 'refused' };

export function pluginNeed(answer: DatabasePlugins | null, type: DatabaseTypeName): PluginNeed {
  if (!answer) return { kind: 'unknown' };
  const { version = null, imageVersion = null } = answer.plugins.find((plugin) => plugin.type === type) ?? {};
  if (version !== null) return { kind: 'present', version, imageVersion };
  return answer.installer === null ? { kind: 'refused' } : { kind: 'missing', installer: answer.installer };
}
