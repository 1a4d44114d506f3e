import { Button, ButtonGroup } from '../../ui/button/Button.tsx';
import type { DatabaseDialog } from './database-dialog.ts';
import type { DatabasePlace } from './database-place.ts';
import type { DatabaseActs } from './use-database-acts.ts';

export interface DatabaseActionsProps {
  place: DatabasePlace;
  acts: DatabaseActs;
  /** Loads the dialogs before one opens. */
  onPrepare: () => unknown;
  onOpen: (dialog: DatabaseDialog) => void;
}

/** The actions in the page's head: restart and stop, or start, and the link to an app. */
export function DatabaseActions({ place, acts, onPrepare, onOpen }: DatabaseActionsProps) {
  const common = { disabledReason: acts.refusal, disabled: acts.busy };
  const prepares = { onPointerEnter: onPrepare, onFocus: onPrepare };
  return (
    <>
      <ButtonGroup label={`Actions on ${place.database.name}`}>
        {isRunning(place) ? (
          <>
            <Button icon="refresh" onClick={acts.restart} {...common}>
              Restart
            </Button>
            <Button icon="stop" onClick={() => onOpen({ kind: 'stop' })} {...prepares} {...common}>
              Stop
            </Button>
          </>
        ) : (
          <Button icon="play" onClick={acts.start} {...common}>
            Start
          </Button>
        )}
      </ButtonGroup>
      <Button
        variant="primary"
        icon="link"
        disabledReason={acts.refusal}
        onClick={() => onOpen({ kind: 'link' })}
        {...prepares}
      >
        Link an app
      </Button>
    </>
  );
}

/** As far as Homeport knows. A database that was not read yet may run. */
const isRunning = ({ status }: DatabasePlace): boolean =>
  status === 'online' || status === 'restarting' || status === 'server-offline' || status === 'unread';
