import { proxyLimits } from '@homeport/contract/proxies/facts';
import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { useQueryClient } from '@tanstack/react-query';
import { problemText } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { Button, IconButton } from '../../ui/button/Button.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import { showProxy } from '../proxy-data.ts';
import styles from './tester.module.css';

/** Replaces the saved URLs of a proxy. The console stores each one with the answer that it gets today. */
function useSavedUrls(proxy: ProxyRecord) {
  const client = useQueryClient();
  const save = useAct('PUT /api/proxies/:id/tests', {
    onDone: (changed) => showProxy(client, changed),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  return {
    urls: proxy.tests.map((test) => test.url),
    isSaving: save.isPending,
    keep: (urls: readonly string[]) =>
      save.mutate({ params: { id: proxy.id }, body: { version: proxy.version, urls: [...urls] } }),
  };
}

export interface SaveUrlProps {
  proxy: ProxyRecord;
  /** The URL in the tester. */
  url: string;
}

/** Offers to save the tested URL, so that its answer is compared before a change of the rules is kept. */
export function SaveUrl({ proxy, url }: SaveUrlProps) {
  const { urls, isSaving, keep } = useSavedUrls(proxy);
  const typed = url.trim();
  if (typed === '' || urls.includes(typed)) return null;
  const full = urls.length >= proxyLimits.savedUrls;
  return (
    <Button
      size="sm"
      icon="pin"
      busy={isSaving}
      busyLabel="Saving"
      disabledReason={full ? `A proxy saves at most ${proxyLimits.savedUrls} URLs.` : null}
      onClick={() => keep([...urls, typed])}
    >
      Save this URL with its answer
    </Button>
  );
}

export interface SavedUrlsProps {
  proxy: ProxyRecord;
  onTry: (url: string) => void;
}

/** URLs whose answers are compared before a change of the rules is kept. */
export function SavedUrls({ proxy, onTry }: SavedUrlsProps) {
  const { urls, isSaving, keep } = useSavedUrls(proxy);
  if (proxy.tests.length === 0) return null;
  return (
    <ul className={styles.saved} aria-label="Saved URLs">
      {proxy.tests.map(({ url: saved, gets }) => (
        <li key={saved}>
          <IconButton label={`Test ${saved}`} icon="play" onClick={() => onTry(saved)} />
          <code className={typography.monospace}>{saved}</code>
          <span className={typography.subtle}>→</span>
          <code className={typography.monospace}>{gets}</code>
          <span className={layout.atEnd}>
            <IconButton
              label={`Forget ${saved}`}
              icon="x"
              disabledReason={isSaving ? 'Another change is being saved.' : null}
              onClick={() => keep(urls.filter((each) => each !== saved))}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}
