import { Panel } from '../ui/layout/Panel.tsx';
import { SecurityEvents } from './events/SecurityEvents.tsx';
import { Outbox } from './owner/Outbox.tsx';

/** What happened to the account. For the owner of a console without a mail server also what it would have mailed. */
export function History({ outbox }: { outbox: boolean }) {
  return (
    <Panel id="history" title="History" body="flush" line={false}>
      <SecurityEvents />
      {outbox && <Outbox />}
    </Panel>
  );
}
