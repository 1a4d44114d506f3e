import { firstDeployBranch, type StarterName } from '@homeport/contract/apps/facts';
import { defaultPlanSize } from '@homeport/contract/apps/plans';
import type { CreateApp } from '@homeport/contract/apps/schema';

/** What the app begins with: nothing, a starter, or a branch of a repository. */
export type BeginChoice = 'empty' | StarterName | 'repository';

/** The form as typed. Parts not chosen yet take their value from what the console knows. */
export interface AppDraft {
  name: string;
  begin: BeginChoice;
  /** With `begin: 'repository'`. */
  repository: string;
  branch: string;
  serverId: string | null;
  plan: number;
  keyIds: string[] | null;
  /** Checks from outside whether the app answers. */
  watched: boolean;
  https: boolean;
  httpsEmail: string;
}

export type DraftField =
  | 'name'
  | 'begin.fullName'
  | 'begin.branch'
  | 'serverId'
  | 'keyIds'
  | 'httpsEmail'
  | 'plan';
export type DraftProblems = Partial<Record<DraftField, string>>;

export const emptyDraft: AppDraft = {
  name: '',
  begin: 'empty',
  repository: '',
  branch: firstDeployBranch,
  serverId: null,
  plan: defaultPlanSize,
  keyIds: null,
  watched: true,
  https: false,
  httpsEmail: '',
};

type Settled = AppDraft & { keyIds: string[] };
type Reading = { ok: true; body: CreateApp } | { ok: false; problems: DraftProblems };

/** Finds missing entries before the page calls the console. The console's answer names all other faults. */
export function readDraft(draft: Settled): Reading {
  const { name, serverId, plan, keyIds, watched, https, httpsEmail } = draft;
  const problems: DraftProblems = {};
  if (name.trim() === '') problems.name = 'Enter a name.';
  if (draft.begin === 'repository') {
    if (!/^[^\s/]+\/[^\s/]+$/.test(draft.repository.trim()))
      problems['begin.fullName'] = 'Enter a repository as owner/name.';
    if (draft.branch.trim() === '') problems['begin.branch'] = 'Enter a branch such as main.';
  }
  if (serverId === null) problems.serverId = 'Choose a server.';
  if (keyIds.length === 0) problems.keyIds = 'Choose at least one key.';
  if (https && !/^[^\s@]+@\S+$/.test(httpsEmail.trim())) problems.httpsEmail = 'Enter an e-mail address.';
  if (serverId === null || Object.keys(problems).length > 0) return { ok: false, problems };
  const email = https ? { httpsEmail: httpsEmail.trim() } : {};
  return {
    ok: true,
    body: { name: name.trim(), serverId, plan, keyIds, watched, ...email, ...beginOf(draft) },
  };
}

function beginOf({ begin, repository, branch }: AppDraft): Pick<CreateApp, 'begin'> {
  if (begin === 'empty') return {};
  if (begin !== 'repository') return { begin: { from: 'starter', starter: begin } };
  return { begin: { from: 'repository', fullName: repository.trim(), branch: branch.trim() } };
}
