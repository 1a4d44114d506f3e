import {
  type CallOutcome,
  type CallSubjectKind,
  programCallLimits,
} from '@homeport/contract/program-calls/facts';
import type { ProgramCall } from '@homeport/contract/program-calls/schema';
import { useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { NothingYet } from '../../ui/feedback/States.tsx';
import { Badge } from '../../ui/feedback/Status.tsx';
import layout from '../../ui/layout/layout.module.css';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { useFirstRows } from '../../ui/table/use-first-rows.tsx';
import { formatCount, formatDateTime } from '../../ui/text/format.ts';
import typography from '../../ui/text/typography.module.css';

/** A token that is there or gone. */
export interface ShownProgram {
  id: string;
  name: string;
}

const shownFirst = 10;

/** What a program did with its token, the last first. */
export function ProgramHistory({
  program: { id, name },
  onClose,
}: {
  program: ShownProgram;
  onClose: () => void;
}) {
  const calls = useApi('GET /api/tokens/:id/calls', { params: { id } });
  const { shown, more } = useFirstRows(calls.data ?? [], shownFirst);
  const isFull = (calls.data?.length ?? 0) >= programCallLimits.ofToken;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`What ${name} did`}
      description={`Changes and calls of tools of the last ${programCallLimits.days} days. What it reads over the API is not listed.${isFull ? ` The newest ${programCallLimits.ofToken} are kept.` : ''}`}
      footer={
        <>
          {more}
          <Button className={layout.atEnd} onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <NotLoaded query={calls} title="What the token did could not be loaded" rows={3} />
      {calls.data?.length === 0 && <NothingYet>It changed nothing and called no tool.</NothingYet>}
      {shown.length > 0 && (
        <ul
          className={classNames(settingsListStyles.settings, settingsListStyles.dense)}
          aria-label="What it did"
        >
          {shown.map((call) => (
            <CallLine key={call.id} call={call} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function CallLine({
  call: { title, subject, outcome, count, lastAt, address, place },
}: {
  call: ProgramCall;
}) {
  return (
    <li>
      <span className={typography.twoLines}>
        <span className={typography.strong}>
          {title}
          {subject && `: ${subjectInWords(subject)}`}
        </span>
        <small>
          {count > 1 && `${formatCount(count)} times, the last `}
          {formatDateTime(lastAt)}, from{' '}
          <span className={classNames(typography.monospace, typography.longWords)}>{address}</span>, {place}
        </small>
      </span>
      {outcome !== 'ok' && (
        <Badge tone="warn" icon="warning">
          {outcomeTexts[outcome]}
        </Badge>
      )}
    </li>
  );
}

const outcomeTexts: Record<Exclude<CallOutcome, 'ok'>, string> = { refused: 'Refused', failed: 'Failed' };

const subjectTexts: Record<CallSubjectKind, string> = {
  server: 'server',
  app: 'app',
  database: 'database',
  proxy: 'proxy',
  domain: 'domain',
  key: 'key',
  operation: 'operation',
};

/** "app blog", "a server that is gone" */
function subjectInWords({ kind, name }: NonNullable<ProgramCall['subject']>): string {
  const what = subjectTexts[kind];
  if (name !== null) return `${what} ${name}`;
  return `${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what} that is gone`;
}
