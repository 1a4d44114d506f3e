import type { ChatLink, Destination } from '@homeport/contract/destinations/schema';
import { useEffect, useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';

/** Looks for the chat while the link is shown, for as long as a person needs to take up a phone. */
const looks = 20;
const lookAgainMs = 3_000;

/** Makes the link that a person opens in Telegram, and waits until a chat has come by it. */
export function LinkChat({ destination: { id, shown, problem } }: { destination: Destination }) {
  const [link, setLink] = useState<ChatLink | null>(null);
  const [looked, setLooked] = useState(0);
  const make = useAct('POST /api/destinations/:id/chat-link', {
    onDone: (made) => {
      setLink(made);
      setLooked(0);
    },
    onFailed: (error) => toast.bad(problemText(error)),
  });
  const find = useAct('POST /api/destinations/:id/chat', {
    onDone: ({ linked, record }) => {
      setLooked(looked + 1);
      if (!linked) return;
      setLink(null);
      toast.ok(`News goes to ${record.shown}`);
    },
    onFailed: (error) => {
      setLink(null);
      toast.bad(problemText(error));
    },
  });
  const isWaiting = link !== null && looked < looks;
  const { mutate, isPending } = find;
  useEffect(() => {
    if (!isWaiting || isPending) return;
    const timer = setTimeout(() => mutate({ params: { id } }), lookAgainMs);
    return () => clearTimeout(timer);
  }, [isWaiting, isPending, mutate, id]);
  return (
    <section aria-label="Chat" className={layout.stack}>
      <div className={classNames(layout.row, layout.wrap, layout.spaceBetween)}>
        <span className={typography.small}>
          {problem === null ? `Chat: ${shown}` : 'No chat is linked yet.'}
        </span>
        <Button
          size="sm"
          busy={make.isPending}
          busyLabel="Asking Telegram"
          onClick={() => make.mutate({ params: { id } })}
        >
          {problem === null ? 'Link another chat' : 'Link a chat'}
        </Button>
      </div>
      {link && (
        <Banner>
          <p>
            Open{' '}
            <a href={link.link} target="_blank" rel="noreferrer">
              a chat with the bot
            </a>{' '}
            and press Start, or{' '}
            <a href={link.groupLink} target="_blank" rel="noreferrer">
              choose a group for the bot
            </a>
            . The link is good once, for ten minutes.
          </p>
          {isWaiting ? (
            <p role="status">Waiting for the chat…</p>
          ) : (
            <Button size="sm" onClick={() => setLooked(0)}>
              Look again
            </Button>
          )}
        </Banner>
      )}
    </section>
  );
}
