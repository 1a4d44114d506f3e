import { firstDeployBranch, type StarterName } from '@homeport/contract/apps/facts';
import { defaultPlanSize } from '@homeport/contract/apps/plans';
import type { CreateApp } from '@homeport/contract/apps/schema';
import { newDomain } from '@homeport/contract/fields/domain-name';

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
  /** The name of a domain of the person's own: `shop`, `@` for the zone itself, or the whole name. Empty: none is wanted. */
  host: string;
  /** The name of the zone that `host` belongs to. */
  zone: string | null;
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
  | 'ownDomain.domain'
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
  host: '',
  zone: null,
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
  const domain = ownDomain(draft);
  if (domain === 'no name')
    problems['ownDomain.domain'] = 'Enter a name such as shop, or @ for the domain itself.';
  if (https && !/^[^\s@]+@\S+$/.test(httpsEmail.trim())) problems.httpsEmail = 'Enter an e-mail address.';
  if (serverId === null || Object.keys(problems).length > 0) return { ok: false, problems };
  const email = https ? { httpsEmail: httpsEmail.trim() } : {};
  return {
    ok: true,
    body: {
      ...{ name: name.trim(), serverId, plan, keyIds, watched },
      ...(domain === null ? {} : { ownDomain: { domain } }),
      ...email,
      ...beginOf(draft),
    },
  };
}

/** The whole name of the domain that is wanted; null where none is, `no name` for what cannot be one. */
export function ownDomain({ host, zone }: Pick<AppDraft, 'host' | 'zone'>): string | 'no name' | null {
  const typed = host.trim();
  if (typed === '' || zone === null) return null;
  if (typed === '@') return zone;
  const whole = newDomain(typed);
  if (whole === zone || whole?.endsWith(`.${zone}`)) return whole;
  return newDomain(`${typed.replace(/\.$/, '')}.${zone}`) ?? 'no name';
}

function beginOf({ begin, repository, branch }: AppDraft): Pick<CreateApp, 'begin'> {
  if (begin === 'empty') return {};
  if (begin !== 'repository') return { begin: { from: 'starter', starter: begin } };
  return { begin: { from: 'repository', fullName: repository.trim(), branch: branch.trim() } };
}
