import { Button, IconButton } from '../ui/Button.tsx';
import { EmptySpot } from '../ui/ChartPaper.tsx';

/**
 * Opens once, while there is no key: nothing else works before there is one. It is the first thing that a newcomer reads,
 * so the build draws it and welcome.ts opens it without React: the dialog is the browser's own, and so are focus, Escape,
 * what its buttons do and what lies behind.
 */
export function WelcomeDialog() {
  return (
    <dialog className="scrim welcome-layer" aria-labelledby="welcome-title">
      <form method="dialog" className="dialog slim welcome">
        <div className="dialog-h">
          <IconButton type="submit" label="Close" icon="x" />
        </div>
        <div className="dialog-b">
          <EmptySpot atOnce />
          <h2 className="h2" id="welcome-title">
            Add your first keypair
          </h2>
          <p className="sm lead">
            Homeport reaches your servers over SSH, so it needs a keypair first. Use one you have, or make a
            new one: the next page shows how on Mac, Windows and Linux.
          </p>
          <Button type="submit" value="add" variant="primary" size="lg" icon="key" block>
            Add a keypair
          </Button>
          <Button type="submit" variant="ghost" block>
            Look around first
          </Button>
        </div>
      </form>
    </dialog>
  );
}
