import { readOnlyTexts } from '@homeport/contract/servers/closed';
import type { Server } from '@homeport/contract/servers/schema';

export interface PluginLook {
  note: string;
  /** The name of the action that brings the plugin up to date. null: it is. */
  action: 'Install' | 'Update' | null;
  /** Why the action is not possible now. */
  refusal: string | null;
}

/** Homeport's own Dokku plugin on a server. null: the server has no Dokku, or is not set up. */
export function pluginLook({
  metal,
  setup,
  login,
  simulated,
  credential,
  sandbox,
  dokkuPlugin: { installed, offered },
}: Pick<
  Server,
  'metal' | 'setup' | 'login' | 'simulated' | 'credential' | 'sandbox' | 'dokkuPlugin'
>): PluginLook | null {
  if (metal || setup !== 'ready' || simulated) return null;
  const refusal =
    credential === null
      ? readOnlyTexts.act
      : login === 'plain' && !sandbox
        ? 'It is installed as root, which the account may not become.'
        : null;
  if (installed === null)
    return {
      note: 'Not installed. Backups of databases need it, and an app’s page asks this server less with it.',
      action: 'Install',
      refusal,
    };
  if (installed !== offered)
    return { note: `Version ${installed}. This console brings ${offered}.`, action: 'Update', refusal };
  return {
    note: `Version ${installed}. It reads, and keeps dumps of databases.`,
    action: null,
    refusal: null,
  };
}
