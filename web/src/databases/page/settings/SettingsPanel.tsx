import { Button } from '../../../ui/button/Button.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Setting, SettingsList } from '../../../ui/layout/Setting.tsx';
import { exposedAt } from '../../exposure-text.ts';
import type { DatabaseDialog } from '../database-dialog.ts';
import type { DatabasePlace } from '../database-place.ts';
import type { DatabaseActs } from '../use-database-acts.ts';

export interface SettingsPanelProps {
  place: DatabasePlace;
  acts: DatabaseActs;
  /** Loads the dialogs before one opens. */
  onPrepare: () => unknown;
  onOpen: (dialog: DatabaseDialog) => void;
}

/** The database's name, its run, its ports and its end. */
export function SettingsPanel({ place, acts, onPrepare, onOpen }: SettingsPanelProps) {
  const { database, server } = place;
  const { refusal } = acts;
  const linked = database.links.length;
  return (
    <Panel title="Settings" id="settings" tone="danger" body="flush">
      <SettingsList onPointerEnter={() => onPrepare()} onFocus={() => onPrepare()}>
        <Setting
          title="Name"
          note={`${database.name}. Its name on the server stays ${database.longname}.`}
          action={
            <Button icon="edit" onClick={() => onOpen({ kind: 'name' })}>
              Edit name
            </Button>
          }
        />
        <RunSetting place={place} acts={acts} onOpen={onOpen} />
        <Setting
          title="Restart"
          note="Stops the database and starts it again. Connections of its apps break for a few seconds."
          action={
            <Button
              icon="refresh"
              disabledReason={refusal ?? (isRunning(place) ? null : 'It does not run. Start it.')}
              busy={acts.busy}
              busyLabel="Restarting"
              onClick={acts.restart}
            >
              Restart
            </Button>
          }
        />
        {database.ports.length === 0 ? (
          <Setting
            title="Expose"
            note={`Lets programs outside Docker reach the database on a port of ${server.name}.`}
            action={
              <Button icon="network" disabledReason={refusal} onClick={() => onOpen({ kind: 'expose' })}>
                Expose
              </Button>
            }
          />
        ) : (
          <Setting
            title="Exposed"
            note={`Open on ${database.ports.map(exposedAt).join(', ')}${
              database.ports.some(({ address }) => address === null)
                ? ', on every interface and past the firewall'
                : ''
            }.`}
            action={
              <Button icon="lock" disabledReason={refusal} onClick={() => onOpen({ kind: 'unexpose' })}>
                {database.ports.length === 1 ? 'Close the port' : 'Close the ports'}
              </Button>
            }
          />
        )}
        <Setting
          title="Delete database"
          note={`Deletes all its data from ${server.name}${
            linked === 0 ? '' : ` and unlinks ${linked === 1 ? '1 app' : `${linked} apps`}`
          }. This cannot be undone.`}
          action={
            <Button
              variant="danger-quiet"
              icon="trash"
              disabledReason={refusal}
              onClick={() => onOpen({ kind: 'delete' })}
            >
              Delete database
            </Button>
          }
        />
      </SettingsList>
    </Panel>
  );
}

/** As far as Homeport knows. A database that was not read yet may run. */
const isRunning = ({ status }: DatabasePlace): boolean =>
  status === 'online' || status === 'restarting' || status === 'server-offline' || status === 'unread';

function RunSetting({ place, acts, onOpen }: Omit<SettingsPanelProps, 'onPrepare'>) {
  return isRunning(place) ? (
    <Setting
      title="Stop"
      note="Pauses the database. Its container and its data stay, and its apps cannot reach it."
      action={
        <Button icon="stop" disabledReason={acts.refusal} onClick={() => onOpen({ kind: 'stop' })}>
          Stop
        </Button>
      }
    />
  ) : (
    <Setting
      title="Start"
      note="Starts the database with the data that it has."
      action={
        <Button
          icon="play"
          disabledReason={acts.refusal}
          busy={acts.busy}
          busyLabel="Starting"
          onClick={acts.start}
        >
          Start
        </Button>
      }
    />
  );
}
