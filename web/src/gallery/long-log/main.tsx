import '../../ui/css/styles.css';
import { createRoot } from 'react-dom/client';
import { createLogFeed } from '../../logs/log-feed.ts';
import { useLogState } from '../../logs/use-log-feed.ts';
import { LogView } from '../../ui/log/LogView.tsx';

/**
 * A log of the greatest kept length, for measuring: `?lines=200000`. `window.addLines(n)` adds n lines, as a
 * server would.
 */
const feed = createLogFeed('GET /api/apps/:id/logs');
let number = 0;

const csi = '\u001b[';
const words =
  'GET /v1/entries?page=2 200 in 31 ms; POST /v1/accounts/118 201; slow query 412 ms: entries_by_month; ';
function nextText(): string {
  number += 1;
  const text = words.repeat(1 + (number % 7 === 0 ? 3 : 0)).slice(number % 40);
  if (number % 100 === 0) return `${csi}1;31merror ${number}${csi}0m ${text}`;
  return number % 3 === 0 ? `${csi}33mwarn${csi}0m ${csi}2m${number}${csi}0m ${text}` : `${number} ${text}`;
}

function addLines(count: number): void {
  const lines = Array.from({ length: count }, () => ({ at: Date.now(), process: 'web.1', text: nextText() }));
  feed.tell({ type: 'lines', lines }, '');
}
Object.assign(window, { addLines });
addLines(Number(new URLSearchParams(location.search).get('lines') ?? 200_000));

function LongLog() {
  const log = useLogState(feed);
  return (
    <main style={{ height: '100vh', display: 'flex' }}>
      <LogView label="long log" lines={log.lines} dropped={log.dropped} live times />
    </main>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<LongLog />);
