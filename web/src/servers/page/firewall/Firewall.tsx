import { messages } from '@homeport/contract/messages';
import { closedTexts } from '@homeport/contract/servers/closed';
import type { Firewall as Answer, Server } from '@homeport/contract/servers/schema';
import { type ReactNode, useState } from 'react';
import { Button, IconButton } from '../../../ui/button/Button.tsx';
import { CodeLine } from '../../../ui/button/CodeLine.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { NothingYet } from '../../../ui/feedback/States.tsx';
import { Badge, Quiet } from '../../../ui/feedback/Status.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { Panel } from '../../../ui/layout/Panel.tsx';
import panelStyles from '../../../ui/layout/panel.module.css';
import { formatCount, formatElapsed } from '../../../ui/text/format.ts';
import { Time } from '../../../ui/text/Time.tsx';
import typography from '../../../ui/text/typography.module.css';
import styles from './Firewall.module.css';
import { type FirewallBadge, type FirewallFailure, firewallBadge } from './firewall-failure.ts';
import { firstRules } from './first-rules.ts';
import { useFirewall } from './use-firewall.ts';

/** The explanation of each state of a firewall. null for a firewall that was listed. */
const remarks: Record<Answer['state'], string | null> = {
  active: null,
  inactive: 'The firewall is off: every port that something listens on can be reached.',
  not_installed: 'ufw is not installed on this server.',
  no_permission: 'This account may not read the firewall: that takes root, or sudo without a password.',
  failed: 'The firewall could not be read.',
};

/** The firewall of a server. The page reads it over SSH on request, or by itself over an open connection. */
export function Firewall({ server, onChangeCredential }: { server: Server; onChangeCredential: () => void }) {
  const { answer, failure, busy, connecting, ask } = useFirewall(server);
  const [shows, setShows] = useState(false);
  const badge = firewallBadge(answer, failure);
  const closed = closedTexts(server)?.connect;
  if (!answer && (!failure || failure.kind === 'declined'))
    return (
      <Panel
        id="firewall"
        title="Firewall"
        body="flush"
        actions={
          closed === undefined && (
            <Button
              size="sm"
              icon="shield"
              busy={busy}
              busyLabel={connecting ? 'Connecting' : 'Reading'}
              onClick={ask}
            >
              Read the firewall
            </Button>
          )
        }
      >
        <NothingYet>
          {closed ?? 'The firewall is read from the server over SSH, with its management credential.'}
        </NothingYet>
      </Panel>
    );
  const refused = failure && failure.kind !== 'declined' ? failure : null;
  const remark = answer && remarks[answer.state];
  return (
    <Panel
      id="firewall"
      title="Firewall"
      className={styles.firewall}
      busy={busy}
      body="flush"
      aside={!refused && answer?.state === 'active' && <Quiet lamp="on">Active</Quiet>}
      actions={
        <>
          {badge && badges[badge]}
          {!refused && remark && (
            <Button size="sm" variant="ghost" aria-expanded={shows} onClick={() => setShows(!shows)}>
              {shows ? 'Hide the answer' : 'Show the answer'}
            </Button>
          )}
          {answer && (
            <IconButton
              label="Read the firewall again"
              icon="refresh"
              aria-busy={busy || undefined}
              onClick={ask}
            />
          )}
        </>
      }
    >
      {refused ? (
        <Refused failure={refused} busy={busy} connecting={connecting} onRetry={ask}>
          {(refused.kind === 'refused' || refused.kind === 'unusable') && (
            <Button onClick={onChangeCredential}>Change credential</Button>
          )}
        </Refused>
      ) : remark && !shows ? (
        <NothingYet>{remark}</NothingYet>
      ) : (
        answer && <FirewallText answer={answer} />
      )}
    </Panel>
  );
}

const badges: Record<FirewallBadge, ReactNode> = {
  authenticated: (
    <Badge tone="ok" icon="success">
      {messages.authenticated}
    </Badge>
  ),
  authentication_failed: (
    <Badge tone="bad" icon="danger">
      {messages.authenticationFailed}
    </Badge>
  ),
  could_not_ask: (
    <Badge tone="warn" icon="warning">
      Could not ask
    </Badge>
  ),
};

function FirewallText({ answer }: { answer: Answer }) {
  const [all, setAll] = useState(false);
  const { account, command, exitCode, durationMs } = answer.command;
  const remark = remarks[answer.state];
  const first = remark === null ? firstRules(answer.text) : null;
  return (
    <>
      {remark && <p className={classNames(styles.remark, typography.small)}>{remark}</p>}
      {answer.text && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: wide rules scroll inside the box, by keyboard too
        <section className={styles.answer} tabIndex={0} aria-label="Firewall status text">
          <pre>{first && !all ? first.text : answer.text.trimEnd()}</pre>
        </section>
      )}
      <div className={classNames(panelStyles.foot, styles.foot)}>
        {first && (
          <Button size="sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show the first rules' : `Show all ${formatCount(first.rules)} rules`}
          </Button>
        )}
        <details>
          <summary className={classNames(typography.extraSmall, typography.muted)}>
            Read <Time at={answer.checkedAt} /> as {account}. Show the command
          </summary>
          <div className={classNames(layout.stack, layout.gap2)}>
            <CodeLine text={command} what="command" wrap />
            <p className={classNames(typography.extraSmall, typography.muted)}>
              {exitCode === null ? 'Ended without an exit code' : `Exit code ${exitCode}`},{' '}
              {durationMs < 1_000 ? `${Math.round(durationMs)} ms` : formatElapsed(durationMs)}
            </p>
          </div>
        </details>
      </div>
    </>
  );
}

function Refused({
  failure,
  busy,
  connecting,
  onRetry,
  children,
}: {
  failure: FirewallFailure;
  busy: boolean;
  connecting: boolean;
  onRetry: () => void;
  children: ReactNode;
}) {
  return (
    <div className={classNames(panelStyles.body, layout.stack, layout.gap3)}>
      <p className={typography.small} role="alert">
        {failure.text}
      </p>
      <div className={classNames(layout.row, layout.wrap)}>
        <Button
          icon="refresh"
          busy={busy}
          busyLabel={connecting ? 'Connecting' : 'Reading'}
          onClick={onRetry}
        >
          Try again
        </Button>
        {children}
      </div>
    </div>
  );
}
