import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { signOut } from '../data/auth.ts';
import { useSession } from '../data/session.ts';
import { toast } from '../ui/feedback/toasts.ts';
import layout from '../ui/layout/layout.module.css';
import { Menu } from '../ui/menu/Menu.tsx';
import { Icon } from '../ui/picture/Icon.tsx';
import { Avatar } from './Avatar.tsx';
import accountMenuStyles from './account-menu.module.css';

export function AccountMenu() {
  const { user, owner } = useSession();
  const navigate = useNavigate();
  const client = useQueryClient();
  const leave = async () => {
    // The console refuses a read that it answers after the sign-out, and the browser writes that down as an error.
    await client.cancelQueries();
    const result = await signOut();
    if (!result.ok) {
      toast.bad(result.message);
      await client.invalidateQueries();
      return;
    }
    const { lockAll } = await import('../keys/keystore/unlocked-keys.ts');
    lockAll();
    // A new document removes all of the user's data from the page.
    window.location.assign('/login');
    client.clear();
  };
  const face = (
    <button
      type="button"
      className={accountMenuStyles.trigger}
      aria-label={`Account menu, ${user.name}${user.emailVerified ? '' : ', e-mail not verified'}`}
    >
      <Avatar user={user} />
      {!user.emailVerified && <span className={accountMenuStyles.dot} title="E-mail not verified" />}
      <Icon name="down" size={14} className={layout.notOnPhone} />
    </button>
  );
  return (
    <Menu
      trigger={face}
      items={[
        { label: 'Profile', icon: 'user', onSelect: () => navigate({ to: '/profile' }) },
        ...(owner
          ? [
              {
                label: 'Invite people',
                icon: 'user' as const,
                onSelect: () => navigate({ to: '/profile', hash: 'people' }),
              },
              { label: 'Console', icon: 'settings' as const, onSelect: () => navigate({ to: '/console' }) },
            ]
          : []),
        { label: 'SSH Keys', icon: 'key', onSelect: () => navigate({ to: '/ssh-keys' }) },
        { kind: 'separator' },
        { label: 'Logout', icon: 'logout', onSelect: leave },
      ]}
    />
  );
}
