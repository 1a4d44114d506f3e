import type { App } from '@homeport/contract/apps/schema';
import { messages } from '@homeport/contract/messages';
import { Button } from '../../ui/button/Button.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { crashText } from '../crash-text.ts';
import type { useAppActs } from './use-app-acts.ts';

/** Says why the app does not run, and offers the button that starts it. */
export function NotRunning({ app, acts }: { app: App; acts: ReturnType<typeof useAppActs> }) {
  const crash = app.stopped ? null : app.crash;
  return (
    <Banner
      tone={crash ? 'bad' : 'warn'}
      action={
        <Button size="sm" icon="play" busy={acts.busy} disabledReason={acts.refusal} onClick={acts.start}>
          Start
        </Button>
      }
    >
      {crash ? (
        <p>
          {crashText(crash)} {crash.at !== null && <Time at={crash.at} />} <a href="#logs">Read its log</a>
        </p>
      ) : (
        <p>{messages.appNotRunning}</p>
      )}
    </Banner>
  );
}
