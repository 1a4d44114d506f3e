import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { topicKey } from '../../data/query-keys.ts';
import { useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { NothingYet } from '../../ui/feedback/States.tsx';
import { Badge } from '../../ui/feedback/Status.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { PanelPart } from '../../ui/layout/Panel.tsx';
import { Setting, SettingsList } from '../../ui/layout/Setting.tsx';
import { PasswordDialog } from './PasswordDialog.tsx';
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx';
import {
  type BegunSecondStep,
  beginSecondStep,
  makeRecoveryCodes,
  turnSecondStepOff,
} from './second-step-calls.ts';

const ScanDialog = lazy(async () => ({ default: (await import('./ScanDialog.tsx')).ScanDialog }));

type Layer =
  | { kind: 'none' }
  | { kind: 'begin' }
  | { kind: 'scan'; begun: BegunSecondStep }
  | { kind: 'new-codes' }
  | { kind: 'codes'; codes: readonly string[] }
  | { kind: 'off' };

/** Whether signing in asks for a code after the password, and the way to change that. */
export function SecondStep() {
  const profile = useApi('GET /api/profile');
  const [layer, setLayer] = useState<Layer>({ kind: 'none' });
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
          <Button size="sm" onClick={() => setLayer({ kind: 'begin' })}>
            Turn on
          </Button>
        )
      }
    >
      <Layers layer={layer} onOpen={setLayer} />
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
  onOpen: (layer: Layer) => void;
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
          <Button size="sm" onClick={() => onOpen({ kind: 'off' })}>
            Turn off
          </Button>
        }
      />
      <Setting
        title="Recovery codes"
        note="New codes take the place of all earlier ones"
        action={
          <Button size="sm" onClick={() => onOpen({ kind: 'new-codes' })}>
            Make new codes
          </Button>
        }
      />
    </SettingsList>
  );
}

function Layers({ layer, onOpen }: { layer: Layer; onOpen: (layer: Layer) => void }) {
  const client = useQueryClient();
  const close = () => onOpen({ kind: 'none' });
  const readAgain = () => client.invalidateQueries({ queryKey: topicKey('profile') });
  switch (layer.kind) {
    case 'none':
      return null;
    case 'begin':
      return (
        <PasswordDialog
          title="Turn the second step on"
          description="Enter your password. Then your authenticator app gets a secret."
          action="Continue"
          busyLabel="Checking"
          send={beginSecondStep}
          onDone={(begun) => onOpen({ kind: 'scan', begun })}
          onClose={close}
        />
      );
    case 'scan':
      return (
        <Suspense>
          <ScanDialog
            address={layer.begun.totpURI}
            onClose={close}
            onDone={() => {
              toast.ok('Second step turned on');
              void readAgain();
              onOpen({ kind: 'codes', codes: layer.begun.backupCodes });
            }}
          />
        </Suspense>
      );
    case 'codes':
      return <RecoveryCodesDialog codes={layer.codes} onClose={close} />;
    case 'new-codes':
      return (
        <PasswordDialog
          title="Make new recovery codes"
          description="The earlier codes stop working."
          action="Make new codes"
          busyLabel="Making"
          send={makeRecoveryCodes}
          onDone={(codes) => onOpen({ kind: 'codes', codes })}
          onClose={close}
        />
      );
    case 'off':
      return (
        <PasswordDialog
          title="Turn the second step off"
          description="Your password alone signs in then, and the recovery codes stop working."
          action="Turn off"
          busyLabel="Turning off"
          danger
          send={turnSecondStepOff}
          onDone={() => {
            toast.ok('Second step turned off');
            void readAgain();
            close();
          }}
          onClose={close}
        />
      );
  }
}
