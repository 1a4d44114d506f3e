import { defaultPlanSize } from '@homeport/contract/apps/plans';
import type { CreateApp } from '@homeport/contract/apps/schema';

/** The form as typed. Parts not chosen yet take their value from what the console knows. */
export interface AppDraft {
  name: string;
  serverId: string | null;
  plan: number;
  keyIds: string[] | null;
  https: boolean;
  httpsEmail: string;
}

export type DraftField = 'name' | 'serverId' | 'keyIds' | 'httpsEmail' | 'plan';
export type DraftProblems = Partial<Record<DraftField, string>>;

export const emptyDraft: AppDraft = {
  name: '',
  serverId: null,
  plan: defaultPlanSize,
  keyIds: null,
  https: false,
  httpsEmail: '',
};

type Settled = AppDraft & { keyIds: string[] };
type Reading = { ok: true; body: CreateApp } | { ok: false; problems: DraftProblems };

/** Finds missing entries before the page calls the console. The console's answer names all other faults. */
export function readDraft({ name, serverId, plan, keyIds, https, httpsEmail }: Settled): Reading {
  const problems: DraftProblems = {};
  if (name.trim() === '') problems.name = 'Enter a name.';
  if (serverId === null) problems.serverId = 'Choose a server.';
  if (keyIds.length === 0) problems.keyIds = 'Choose at least one key.';
  if (https && !/^[^\s@]+@\S+$/.test(httpsEmail.trim())) problems.httpsEmail = 'Enter an e-mail address.';
  if (serverId === null || Object.keys(problems).length > 0) return { ok: false, problems };
  const email = https ? { httpsEmail: httpsEmail.trim() } : {};
  return { ok: true, body: { name: name.trim(), serverId, plan, keyIds, ...email } };
}
