import type { ShownStatusPage } from '@homeport/store';
import { overallState, uptimePercent } from './say.ts';

/** The page for programs. Each field is named here, so that nothing else gets out. */
export function renderJson(
  { title, at, components, posts }: ShownStatusPage,
  { hasTime }: { hasTime: boolean },
): string {
  return JSON.stringify({
    ...{ title, ...(hasTime && { at }), state: overallState(components) },
    components: components.map(({ name, group, state, days }) => ({
      ...{ name, group, state, uptimePercent: uptimePercent(days) },
    })),
    posts: posts.map(({ id, kind, title, createdAt, startsAt, endsAt, updates }) => ({
      ...{ id, kind, title, createdAt, startsAt, endsAt },
      updates: updates.map(({ state, text, at }) => ({ state, text, at })),
    })),
  });
}
