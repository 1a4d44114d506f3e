import type { Configuration, Session } from '@homeport/contract/identity/schema';
import type { ReactNode } from 'react';
import { Cloudflare } from './cloudflare/Cloudflare.tsx';
import { YourData } from './data/YourData.tsx';
import { GithubSection } from './github/GithubSection.tsx';
import { History } from './History.tsx';
import { Notifications } from './notifications/Notifications.tsx';
import { People } from './owner/People.tsx';
import { SignIn } from './SignIn.tsx';
import { Tokens } from './tokens/Tokens.tsx';
import { You } from './you/You.tsx';

/** What decides which sections a person sees. The configuration is undefined until it has been read. */
export interface ProfileView {
  session: Session;
  configuration: Configuration | undefined;
}

interface ProfileSection {
  /** The id of the section's panel, for the links in the page. */
  id: string;
  label: string;
  /** The anchors of its parts. */
  also?: readonly string[];
  /** Absent: everybody sees the section. */
  visible?: (view: ProfileView) => boolean;
  show: (view: ProfileView) => ReactNode;
}

/**
 * The sections of the page in their order. A section is a panel with the same id, in a folder of its own. The
 * panel reads its own data, and shows by itself that the data loads, fails or is empty.
 */
const sections: readonly ProfileSection[] = [
  { id: 'you', label: 'You', show: ({ session }) => <You key={session.user.name} /> },
  { id: 'cloudflare', label: 'Cloudflare', show: () => <Cloudflare /> },
  { id: 'github', label: 'GitHub', show: ({ session }) => <GithubSection owner={session.owner} /> },
  {
    id: 'sign-in',
    label: 'Sign-in',
    also: ['password', 'passkeys', 'second-step', 'sessions'],
    show: () => <SignIn />,
  },
  { id: 'notifications', label: 'Notifications', show: () => <Notifications /> },
  { id: 'api-tokens', label: 'API tokens', show: () => <Tokens /> },
  {
    id: 'people',
    label: 'People',
    visible: ({ session }) => session.owner,
    show: ({ configuration }) => <People configuration={configuration} />,
  },
  {
    id: 'history',
    label: 'History',
    also: ['security-events', 'outbox'],
    show: ({ session, configuration }) => (
      <History
        outbox={session.owner && (configuration?.mailConfigured === false || session.restored !== null)}
      />
    ),
  },
  { id: 'your-data', label: 'Your data', also: ['danger-zone'], show: () => <YourData /> },
];

/** The sections that this person sees, each with the function that draws it. */
export function sectionsFor(
  view: ProfileView,
): { id: string; label: string; also: readonly string[]; show: () => ReactNode }[] {
  return sections
    .filter(({ visible }) => visible?.(view) ?? true)
    .map(({ id, label, also = [], show }) => ({ id, label, also, show: () => show(view) }));
}
