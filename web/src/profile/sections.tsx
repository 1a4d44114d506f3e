import type { Configuration, Session } from '@homeport/contract/identity/schema';
import type { ReactNode } from 'react';
import { Cloudflare } from './cloudflare/Cloudflare.tsx';
import { DangerZone } from './danger/DangerZone.tsx';
import { YourData } from './data/YourData.tsx';
import { SecurityEvents } from './events/SecurityEvents.tsx';
import { GithubSection } from './github/GithubSection.tsx';
import { Outbox } from './owner/Outbox.tsx';
import { People } from './owner/People.tsx';
import { Passkeys } from './passkeys/Passkeys.tsx';
import { Password } from './password/Password.tsx';
import { SecondStep } from './second-step/SecondStep.tsx';
import { Sessions } from './sessions/Sessions.tsx';
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
  { id: 'password', label: 'Password', show: () => <Password /> },
  { id: 'passkeys', label: 'Passkeys', show: () => <Passkeys /> },
  { id: 'second-step', label: 'Second step', show: () => <SecondStep /> },
  { id: 'sessions', label: 'Sign-ins', show: () => <Sessions /> },
  { id: 'api-tokens', label: 'API tokens', show: () => <Tokens /> },
  { id: 'security-events', label: 'Security events', show: () => <SecurityEvents /> },
  {
    id: 'people',
    label: 'People',
    visible: ({ session, configuration }) => session.owner && configuration?.signUps === 'invite',
    show: ({ configuration }) => <People mailConfigured={configuration?.mailConfigured ?? false} />,
  },
  {
    id: 'outbox',
    label: 'Outbox',
    visible: ({ session, configuration }) =>
      session.owner && (configuration?.mailConfigured === false || session.restored !== null),
    show: () => <Outbox />,
  },
  { id: 'your-data', label: 'Your data', show: () => <YourData /> },
  { id: 'danger-zone', label: 'Danger zone', show: () => <DangerZone /> },
];

/** The sections that this person sees, each with the function that draws it. */
export function sectionsFor(view: ProfileView): { id: string; label: string; show: () => ReactNode }[] {
  return sections
    .filter(({ visible }) => visible?.(view) ?? true)
    .map(({ id, label, show }) => ({ id, label, show: () => show(view) }));
}
