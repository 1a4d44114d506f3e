import type { NewsPage } from '@homeport/contract/notifications/news-page';
import { Button } from '../../ui/button/Button.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { useFirstRows } from '../../ui/table/use-first-rows.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { useNow } from '../../ui/text/use-now.ts';
import styles from './muted-now.module.css';
import { useMute } from './use-mute.ts';

const shownFirst = 5;

/** What is muted now and until when, with the way back. */
export function MutedNow({ muted }: Pick<NewsPage, 'muted'>) {
  // A mute ends by its time, and the console tells of no change then.
  const now = useNow(10_000);
  const present = muted.filter(({ until }) => until > now);
  const { shown, more } = useFirstRows(present, shownFirst);
  if (present.length === 0) return null;
  return (
    <Panel id="muted" title="Muted" body="flush" actions={more} className={styles.panel}>
      <ul className={styles.muted} aria-label="Muted now">
        {shown.map((each) => (
          <MutedRow key={each.id} muted={each} />
        ))}
      </ul>
    </Panel>
  );
}

function MutedRow({ muted }: { muted: NewsPage['muted'][number] }) {
  const mute = useMute();
  const { of, name, until } = muted;
  const what = of === 'server' ? `${name} and its apps` : name;
  return (
    <li>
      <span className={typography.twoLines}>
        <span className={typography.strong}>{what}</span>
        <small>
          until <Time at={until} as="datetime" />
        </small>
      </span>
      <Button size="sm" onClick={() => mute({ ...muted, name: what }, null)}>
        Unmute<span className={layout.visuallyHidden}> {what}</span>
      </Button>
    </li>
  );
}
