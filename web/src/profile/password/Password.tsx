import { useState } from 'react';
import { useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { NothingYet } from '../../ui/feedback/States.tsx';
import { PanelPart } from '../../ui/layout/Panel.tsx';
import { onDemand } from '../../ui/on-demand.tsx';

const ChangePasswordDialog = onDemand(
  async () => (await import('./ChangePasswordDialog.tsx')).ChangePasswordDialog,
);

/** The change of the password. A person who signs in with another account only has none. */
export function Password() {
  const profile = useApi('GET /api/profile');
  const [open, setOpen] = useState(false);
  return (
    <PanelPart
      id="password"
      title="Password"
      busy={profile.isPending}
      actions={
        profile.data?.hasPassword && (
          <Button
            size="sm"
            onPointerEnter={ChangePasswordDialog.prepare}
            onFocus={ChangePasswordDialog.prepare}
            onClick={() => setOpen(true)}
          >
            Change password
          </Button>
        )
      }
    >
      {open && <ChangePasswordDialog onClose={() => setOpen(false)} />}
      <NotLoaded query={profile} title="Your profile could not be loaded" rows={1} />
      {profile.data && (
        <NothingYet>
          {profile.data.hasPassword
            ? 'A new one ends every other sign-in of yours.'
            : 'This account has none. To set one, sign out and choose “Forgot password?” on the sign-in page.'}
        </NothingYet>
      )}
    </PanelPart>
  );
}
