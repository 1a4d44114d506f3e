import { useApi } from '../../../data/use-api.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { Setting } from '../../../ui/layout/Setting.tsx';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';
import type { ManageDialog } from './manage-dialog.ts';
import { isOnWebPort } from './port-texts.ts';

export interface PortsSettingProps {
  place: AppPlace;
  /** Why the user can change nothing on this server. null where the console can log in. */
  closed: string | null;
  onOpen: (dialog: ManageDialog) => void;
}

/** The ports on which the server answers for the app, as System Information has read them already. */
export function PortsSetting({ place, closed, onOpen }: PortsSettingProps) {
  const { app } = place;
  const { state } = useOnServer('GET /api/apps/:id/system', place, 'manage-app');
  const ports = state.kind === 'ready' ? state.data.ports : null;
  const noDomain = app.domains.length === 0 ? 'A port needs a domain: add one first.' : null;
  const demo = useApi('GET /api/configuration').data?.demo;
  // Each start of the demo serves the apps of its sandbox on one port, because port 80 may be somebody else's.
  const webPort = demo && place.server.sandbox ? demo.webPort : null;
  const isThere =
    ports === null || !isOnWebPort(ports, webPort)
      ? null
      : webPort === null
        ? 'The app is on port 80 already.'
        : `The app is there already: port ${webPort} of the sandbox stands for port 80.`;
  return (
    <Setting
      title="Ports"
      note={
        ports === null || ports.length === 0
          ? 'Where the server answers for the app.'
          : `The server answers on ${ports.join(' and ')}: scheme, its port, the app’s.`
      }
      action={
        <Button
          size="sm"
          disabledReason={closed ?? noDomain ?? isThere}
          onClick={() => onOpen({ kind: 'ports' })}
        >
          Serve on port 80
        </Button>
      }
    />
  );
}
