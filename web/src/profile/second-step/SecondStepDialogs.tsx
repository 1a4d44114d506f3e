import { useQueryClient } from '@tanstack/react-query';
import { topicKey } from '../../data/query-keys.ts';
import { toast } from '../../ui/feedback/toasts.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { PasswordDialog } from './PasswordDialog.tsx';
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx';
import {
  type BegunSecondStep,
  beginSecondStep,
  makeRecoveryCodes,
  turnSecondStepOff,
} from './second-step-calls.ts';

const ScanDialog = onDemand(async () => (await import('./ScanDialog.tsx')).ScanDialog);

/** What is asked or shown. */
export type SecondStepLayer =
  | { kind: 'begin' }
  | { kind: 'scan'; begun: BegunSecondStep }
  | { kind: 'new-codes' }
  | { kind: 'codes'; codes: readonly string[] }
  | { kind: 'off' };

interface SecondStepDialogsProps {
  layer: SecondStepLayer;
  /** null closes. */
  onOpen: (layer: SecondStepLayer | null) => void;
}

/** The dialogs of the second step, one after the other. */
export function SecondStepDialogs({ layer, onOpen }: SecondStepDialogsProps) {
  const client = useQueryClient();
  const close = () => onOpen(null);
  const readAgain = () => client.invalidateQueries({ queryKey: topicKey('profile') });
  switch (layer.kind) {
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
        <ScanDialog
          address={layer.begun.totpURI}
          onClose={close}
          onDone={() => {
            toast.ok('Second step turned on');
            void readAgain();
            onOpen({ kind: 'codes', codes: layer.begun.backupCodes });
          }}
        />
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
