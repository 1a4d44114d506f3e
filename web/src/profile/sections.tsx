import type { Configuration, Session } from '@homeport/contract/identity/schema';
import type { ReactNode } from 'react';
import type { Section } from '../ui/layout/SectionNav.tsx';
import { Cloudflare } from './cloudflare/Cloudflare.tsx';
import { YourData } from './data/YourData.tsx';
import { GithubSection } from './github/GithubSection.tsx';
import { History } from './History.tsx';
import { Notifications } from './notifications/Notifications.tsx';
import { People } from './owner/People.tsx';
import { Programs } from './programs/Programs.tsx';
import { SignIn } from './SignIn.tsx';
import { You } from './you/You.tsx';

/** What decides which sections a person sees. The configuration is undefined until it has been read. */
export interface ProfileView {
  session: Session;
  configuration: Configuration | undefined;
}

interface ProfileSection {
  /** The id of the section's panel, for the links in the page. */
  id: string;
  /** Absent: the section stands under the tab of the one before it. */
  tab?: string;
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
  { id: 'you', tab: 'You', show: ({ session }) => <You key={session.user.name} /> },
  { id: 'cloudflare', tab: 'Cloudflare', show: () => <Cloudflare /> },
  { id: 'github', tab: 'GitHub', show: ({ session }) => <GithubSection owner={session.owner} /> },
  {
    id: 'sign-in',
    tab: 'Sign-in',
    also: ['password', 'passkeys', 'second-step', 'sessions'],
    show: () => <SignIn />,
  },
  // A token is a way in as well.
  { id: 'programs', show: () => <Programs /> },
  { id: 'notifications', tab: 'Notifications', show: () => <Notifications /> },
  {
    id: 'people',
    tab: 'People',
    visible: ({ session }) => session.owner,
    show: ({ configuration }) => <People configuration={configuration} />,
  },
  {
    id: 'history',
    tab: 'History and data',
    also: ['security-events', 'outbox'],
    show: ({ session, configuration }) => (
      <History
        outbox={session.owner && (configuration?.mailConfigured === false || session.restored !== null)}
      />
    ),
  },
  { id: 'your-data', also: ['danger-zone'], show: () => <YourData /> },
];

/** The sections that this person sees, each with the function that draws it. */
export function sectionsFor(view: ProfileView): { id: string; show: () => ReactNode }[] {
  return seenBy(view).map(({ id, show }) => ({ id, show: () => show(view) }));
}

/** The tabs that this person sees: six, and one more for the owner. */
export function tabsFor(view: ProfileView): Section[] {
  const tabs: (Section & { also: string[] })[] = [];
  for (const { id, tab, also = [] } of seenBy(view))
    if (tab === undefined) tabs.at(-1)?.also.push(id, ...also);
    else tabs.push({ id, label: tab, also: [...also] });
  return tabs;
}

const seenBy = (view: ProfileView) => sections.filter(({ visible }) => visible?.(view) ?? true);
