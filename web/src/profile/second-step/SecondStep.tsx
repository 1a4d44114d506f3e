import { useState } from 'react';
import { useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { NothingYet } from '../../ui/feedback/States.tsx';
import { Badge } from '../../ui/feedback/Status.tsx';
import { PanelPart } from '../../ui/layout/Panel.tsx';
import { Setting, SettingsList } from '../../ui/layout/Setting.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import type { SecondStepLayer } from './SecondStepDialogs.tsx';

const SecondStepDialogs = onDemand(async () => (await import('./SecondStepDialogs.tsx')).SecondStepDialogs);

/** Whether signing in asks for a code after the password, and the way to change that. */
export function SecondStep() {
  const profile = useApi('GET /api/profile');
  const [layer, setLayer] = useState<SecondStepLayer | null>(null);
  const on = profile.data?.secondStep ?? false;
  return (
    <PanelPart
      id="second-step"
      title="Second step"
      busy={profile.isPending}
      aside={
        profile.data &&
        (on ? (
          <Badge tone="ok" icon="success">
            On
          </Badge>
        ) : (
          <Badge tone="none">Off</Badge>
        ))
      }
      actions={
        profile.data &&
        !on &&
        profile.data.hasPassword && (
          <Button
            size="sm"
            onPointerEnter={SecondStepDialogs.prepare}
            onFocus={SecondStepDialogs.prepare}
            onClick={() => setLayer({ kind: 'begin' })}
          >
            Turn on
          </Button>
        )
      }
    >
      {layer && <SecondStepDialogs layer={layer} onOpen={setLayer} />}
      {profile.data === undefined && (
        <NotLoaded query={profile} title="Your profile could not be loaded" rows={1} />
      )}
      {profile.data && <Settings on={on} hasPassword={profile.data.hasPassword} onOpen={setLayer} />}
    </PanelPart>
  );
}

interface SettingsProps {
  on: boolean;
  hasPassword: boolean;
  onOpen: (layer: SecondStepLayer) => void;
}

function Settings({ on, hasPassword, onOpen }: SettingsProps) {
  if (!on)
    return (
      <NothingYet>
        {hasPassword
          ? 'Ask for a code of an authenticator app after the password.'
          : 'This account has no password, so there is no first step to add to.'}
      </NothingYet>
    );
  return (
    <SettingsList>
      <Setting
        title="Authenticator app"
        note="Asked for at every sign-in with the password"
        action={
          <Button
            size="sm"
            onPointerEnter={SecondStepDialogs.prepare}
            onFocus={SecondStepDialogs.prepare}
            onClick={() => onOpen({ kind: 'off' })}
          >
            Turn off
          </Button>
        }
      />
      <Setting
        title="Recovery codes"
        note="New codes take the place of all earlier ones"
        action={
          <Button
            size="sm"
            onPointerEnter={SecondStepDialogs.prepare}
            onFocus={SecondStepDialogs.prepare}
            onClick={() => onOpen({ kind: 'new-codes' })}
          >
            Make new codes
          </Button>
        }
      />
    </SettingsList>
  );
}
