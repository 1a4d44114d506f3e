import { useState } from 'react';
import { Button } from '../ui/button/Button.tsx';
import type { LogFeed } from './log-feed.ts';
import { useLogState } from './use-log-feed.ts';

/** Saves every line that the page holds, including lines that arrived while the view was paused. */
export function DownloadLog({ feed, name }: { feed: LogFeed; name: string }) {
  const nothing = useLogState(feed).lines.length === 0;
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const { saveLog } = await import('./save-log.ts');
    await saveLog(name, feed.log().lines);
    setBusy(false);
  };
  return (
    <Button
      size="sm"
      variant="ghost"
      icon="download"
      disabled={nothing}
      busy={busy}
      onClick={() => void download()}
    >
      Download
    </Button>
  );
}
