import { pushEnded } from '@homeport/contract/destinations/facts';
import type { Destination } from '@homeport/contract/destinations/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callConfirmed } from '../../../data/call-confirmed.ts';
import { renewTopic } from '../../../data/live/renew-topic.ts';
import { problemText } from '../../../data/problem-text.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import typography from '../../../ui/text/typography.module.css';
import type { BrowserState } from './browser-state.ts';
import { turnOn } from './push-device.ts';
import { remember } from './remembered.ts';
import { sayBrowser } from './say-browser.ts';
import { readBrowserFacts, whyNot } from './why-not.ts';

interface Props {
  destination: Destination;
  browser: BrowserState;
}

/** What a browser's destination is to this browser, and the way back where it takes nothing any more. */
export function ThisBrowser({ destination: { id, version, state, problem }, browser }: Props) {
  const client = useQueryClient();
  const again = useMutation({
    mutationFn: async () => {
      // Where the console refuses, the page knows this destination again and offers the same.
      remember(id);
      // Its address takes nothing, whatever the browser believes. Another address may be that of another account here.
      const anew = browser === 'here' && (problem?.includes(pushEnded) ?? false);
      const { target } = await turnOn({ anew });
      return callConfirmed('PATCH /api/destinations/:id', {
        params: { id },
        body: { version, target, on: true },
      });
    },
    onSuccess: () => toast.ok('This browser is turned on again'),
    onError: (error) => toast.bad(problemText(error)),
    onSettled: () => renewTopic(client, 'destinations'),
  });
  const { text, isOffered } = sayBrowser(state, browser);
  if (!isOffered) return <p className={typography.small}>{text}</p>;
  return (
    <Banner
      tone="warn"
      action={
        <Button
          size="sm"
          busy={again.isPending}
          busyLabel="Asking the browser"
          disabledReason={whyNot(readBrowserFacts())}
          onClick={() => again.mutate()}
        >
          Turn on again
        </Button>
      }
    >
      <p>{text}</p>
    </Banner>
  );
}
