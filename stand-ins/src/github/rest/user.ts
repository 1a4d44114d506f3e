import { type Answer, type Asked, accessTo, hasScope, refuse, tagged } from '../answer.ts';
import { pageOf } from './page-of.ts';
import { fullRepository, simpleUser } from './shapes.ts';

export function readUser(asked: Asked): Answer {
  const { person } = asked.grant;
  const made = new Date(0).toISOString();
  const shown = person.emails.find(({ primary }) => primary);
  return tagged(asked, {
    status: 200,
    body: {
      ...simpleUser(asked, person),
      user_view_type: 'public',
      name: person.name,
      company: null,
      blog: '',
      location: null,
      email: shown?.email ?? null,
      hireable: null,
      bio: null,
      public_repos: 0,
      public_gists: 0,
      followers: 0,
      following: 0,
      created_at: made,
      updated_at: made,
    },
  });
}

export function readEmails(asked: Asked): Answer {
  if (!hasScope(asked, 'user:email') && !hasScope(asked, 'user'))
    return refuse(404, 'Not Found', { 'x-accepted-oauth-scopes': 'user, user:email' });
  const { emails } = asked.grant.person;
  return {
    status: 200,
    body: emails.map((each) => ({ ...each, visibility: each.primary ? 'private' : null })),
  };
}

/** Sorted by `pushed`, the one order that is asked for. */
export function listRepositories(asked: Asked): Answer {
  const { query, state } = asked;
  if (query.has('type') && (query.has('visibility') || query.has('affiliation')))
    return refuse(422, 'If you specify visibility or affiliation, you cannot specify type.');
  const { person } = asked.grant;
  const mine = state.repositories
    .filter(({ owner, members }) => owner.id === person.id || members.has(person.id))
    .filter((repository) => accessTo(asked, repository) !== null)
    .sort((a, b) => b.pushedAt - a.pushedAt || a.id - b.id);
  const { shown, headers } = pageOf(asked, mine);
  return tagged(asked, { status: 200, headers, body: shown.map((each) => fullRepository(asked, each)) });
}
