import type { App } from '@homeport/contract/apps/schema';
import { Button, ButtonGroup } from '../../ui/button/Button.tsx';
import { ButtonExternalLink } from '../../ui/button/ButtonLink.tsx';
import { openUrl } from '../open-url.ts';
import type { useAppActs } from './use-app-acts.ts';

type Acts = ReturnType<typeof useAppActs>;

/** The main button is Open app. While the app is stopped or crashed, the main button is Start. */
export function AppActions({ app, crashed, acts }: { app: App; crashed: boolean; acts: Acts }) {
  const url = app.missingSince === null ? openUrl(app) : null;
  const common = { disabledReason: acts.refusal, disabled: acts.busy };
  return (
    <>
      <ButtonGroup label={`Actions on ${app.name}`}>
        <Button icon="refresh" onClick={acts.restart} {...common}>
          Restart
        </Button>
        <Button icon="rebuild" onClick={acts.rebuild} {...common}>
          Rebuild
        </Button>
        {!app.stopped && (
          <Button icon="stop" onClick={acts.stop} {...common}>
            Stop
          </Button>
        )}
      </ButtonGroup>
      {(app.stopped || crashed) && (
        <Button variant="primary" icon="play" onClick={acts.start} {...common}>
          Start
        </Button>
      )}
      {url && (
        <ButtonExternalLink href={url} variant="primary" icon="external">
          Open app
        </ButtonExternalLink>
      )}
    </>
  );
}
