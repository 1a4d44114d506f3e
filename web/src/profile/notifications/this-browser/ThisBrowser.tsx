import type { Destination } from '@homeport/contract/destinations/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callConfirmed } from '../../../data/call-confirmed.ts';
import { renewTopic } from '../../../data/live/renew-topic.ts';
import { problemText } from '../../../data/problem-text.ts';
import { useApi } from '../../../data/use-api.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import typography from '../../../ui/text/typography.module.css';
import type { BrowserState } from './browser-state.ts';
import { turnOn } from './push-device.ts';
import { remember } from './remembered.ts';
import { readBrowserFacts, whyNot } from './why-not.ts';

interface Props {
  destination: Destination;
  browser: BrowserState;
}

/** What a browser's destination is to this browser, and the way back where it takes nothing any more. */
export function ThisBrowser({ destination: { id, version, state }, browser }: Props) {
  const client = useQueryClient();
  const key = useApi('GET /api/destinations/push-key');
  const again = useMutation({
    mutationFn: async (consoleKey: string) => {
      // The address of a broken destination takes nothing, whatever the browser believes.
      const target = await turnOn(consoleKey, { anew: state === 'broken' });
      return callConfirmed('PATCH /api/destinations/:id', { params: { id }, body: { version, target } });
    },
    onSuccess: async () => {
      remember(id);
      toast.ok('This browser is turned on again');
      await renewTopic(client, 'destinations');
    },
    onError: (error) => toast.bad(problemText(error)),
  });
  const reason = whyNot(readBrowserFacts());
  if (browser === 'elsewhere')
    return (
      <p className={typography.small}>
        This is another browser. News arrives there until you remove the destination, also while nobody is
        signed in there.
      </p>
    );
  if (browser === 'here' && state !== 'broken')
    return (
      <p className={typography.small}>
        This is the browser that you use now. News arrives here until you remove the destination, also after
        you sign out.
      </p>
    );
  return (
    <Banner
      tone="warn"
      action={
        <Button
          size="sm"
          busy={again.isPending}
          busyLabel="Asking the browser"
          disabledReason={reason}
          onClick={() => key.data && again.mutate(key.data.key)}
        >
          Turn on again
        </Button>
      }
    >
      <p>{why[browser]}</p>
    </Banner>
  );
}

const why: Record<Exclude<BrowserState, 'elsewhere'>, string> = {
  here: 'The push service of this browser takes no messages any more.',
  lost: 'This browser has dropped its notifications of this console, so nothing arrives here.',
  'other-key':
    'This browser was turned on with a key that the console no longer has, so nothing arrives here.',
};
