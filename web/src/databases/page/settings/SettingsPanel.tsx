import { Button } from '../../../ui/button/Button.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Setting, SettingsList } from '../../../ui/layout/Setting.tsx';
import { exposedAt } from '../../exposure-text.ts';
import type { DatabaseDialog } from '../database-dialog.ts';
import type { DatabasePlace } from '../database-place.ts';

export interface SettingsPanelProps {
  place: DatabasePlace;
  /** Why nothing can be changed on the server now. */
  refusal: string | null;
  /** Loads the dialogs before one opens. */
  onPrepare: () => unknown;
  onOpen: (dialog: DatabaseDialog) => void;
}

/** The database's name, its open ports and its end. */
export function SettingsPanel({ place, refusal, onPrepare, onOpen }: SettingsPanelProps) {
  const { database, server } = place;
  const linked = database.links.length;
  return (
    <Panel title="Settings" id="settings" body="flush">
      <SettingsList onPointerEnter={() => onPrepare()} onFocus={() => onPrepare()}>
        <Setting
          title="Name"
          note={`${database.name}. Its name on the server stays ${database.longname}.`}
          action={
            <Button size="sm" onClick={() => onOpen({ kind: 'name' })}>
              Edit name
            </Button>
          }
        />
        {database.ports.length > 0 && (
          <Setting
            title="Exposed"
            note={`Open on ${database.ports.map(exposedAt).join(', ')}${
              database.ports.some(({ address }) => address === null)
                ? ', on every interface and past the firewall'
                : ''
            }.`}
            action={
              <Button size="sm" disabledReason={refusal} onClick={() => onOpen({ kind: 'unexpose' })}>
                {database.ports.length === 1 ? 'Close the port' : 'Close the ports'}
              </Button>
            }
          />
        )}
        <Setting
          tone="danger"
          title="Delete database"
          note={`Deletes all its data from ${server.name}${
            linked === 0 ? '' : ` and unlinks ${linked === 1 ? '1 app' : `${linked} apps`}`
          }. This cannot be undone.`}
          action={
            <Button
              size="sm"
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
