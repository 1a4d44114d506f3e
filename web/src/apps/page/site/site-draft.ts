import { type SiteField, siteFields, siteValueProblem } from '@homeport/contract/apps/site/facts';
import type { Site } from '@homeport/contract/apps/site/schema';
import type { RouteInput } from '../../../data/route-types.ts';

/** What was typed or chosen, by field; an empty text takes the app’s own value off. */
export type SiteDraft = Partial<Record<SiteField, string>>;

type Body = RouteInput<'POST /api/apps/:id/site'>['body'];

/** What a field shows. */
export const textOf = (site: Site, draft: SiteDraft, field: SiteField): string =>
  draft[field] ?? site[field].set ?? '';

/** The change that a draft asks for, null where a field cannot be sent, and why. Without a change it asks for the build alone. */
export function changeOf(
  site: Site,
  draft: SiteDraft,
): { body: Body | null; problems: Partial<Record<SiteField, string>> } {
  const problems: Partial<Record<SiteField, string>> = {};
  const changes: Body['changes'] = [];
  for (const field of siteFields) {
    const from = site[field].set;
    const typed = draft[field];
    if (typed === undefined) continue;
    const to = typed.trim() || null;
    if (to === from) continue;
    const problem = to === null ? null : siteValueProblem(field, to);
    if (problem === null) changes.push({ field, from, to });
    else problems[field] = problem;
  }
  return { body: Object.keys(problems).length === 0 ? { changes } : null, problems };
}

/** What would hold after the change. A value that cannot be sent counts as unchanged. */
export function valuesAfter(site: Site, draft: SiteDraft): Record<SiteField, string> {
  const { problems } = changeOf(site, draft);
  return Object.fromEntries(
    siteFields.map((field) => {
      const { set, otherwise } = site[field];
      const text = problems[field] ? set : textOf(site, draft, field).trim();
      return [field, text || otherwise];
    }),
  ) as Record<SiteField, string>;
}
