import { approvableAfterMs } from '@homeport/contract/proposals/facts';
import type { OpenProposal, ProposedCommand } from '@homeport/contract/proposals/schema';
import { useParams } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useState } from 'react';
import { isProblem } from '../data/api-problem.ts';
import { useAct, useApi } from '../data/use-api.ts';
import { openOperation } from '../operations/open-operation.ts';
import { NotLoaded } from '../page-frame/NotLoaded.tsx';
import { Page } from '../page-frame/Page.tsx';
import { ProblemBanner } from '../page-frame/ProblemBanner.tsx';
import { tokenKindTexts } from '../profile/programs/area-texts.ts';
import { Button } from '../ui/button/Button.tsx';
import { ButtonLink } from '../ui/button/ButtonLink.tsx';
import { CodeLine } from '../ui/button/CodeLine.tsx';
import { classNames } from '../ui/class-names.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { Empty } from '../ui/feedback/States.tsx';
import definitionsStyles from '../ui/layout/definitions.module.css';
import { Fact } from '../ui/layout/Fact.tsx';
import layout from '../ui/layout/layout.module.css';
import { Panel } from '../ui/layout/Panel.tsx';
import { Time } from '../ui/text/Time.tsx';
import typography from '../ui/text/typography.module.css';
import styles from './ApprovePage.module.css';
import { effectTexts, endTexts } from './proposal-texts.ts';

/** Shows what a program proposed, and exactly what would run. Approving runs it as an own call of this browser. */
export function ApprovePage() {
  const { id } = useParams({ from: '/frame/approve/$id' });
  const proposal = useApi('GET /api/proposals/:id', { params: { id } });
  const { data } = proposal;
  return (
    <Page title="Decide about a proposal" width="form">
      {data ? (
        <Decision key={id} proposal={data} />
      ) : (
        <Panel>
          {isProblem(proposal.error, 'not_found') ? (
            <Empty title="No such proposal" action={<ButtonLink to="/profile">Your profile</ButtonLink>}>
              You have no proposal at this address. It may have been removed, or the address has a mistake.
              Programs on your profile lists what each of them proposed.
            </Empty>
          ) : (
            <NotLoaded query={proposal} title="The proposal could not be loaded" rows={3} />
          )}
        </Panel>
      )}
    </Page>
  );
}

function Decision({ proposal }: { proposal: OpenProposal }) {
  const { title, appName, serverName, route, state, changed, commands, program, createdAt, expiresAt } =
    proposal;
  return (
    <Panel
      title={`${title}: ${appName}`}
      footer={
        state === 'open' &&
        'Approved once, it runs as if you had pressed the button on the page of the app: with your session and your SSH key. In a browser without the key the work waits until one that has it is open.'
      }
    >
      <div className={layout.stack}>
        {state !== 'open' && <Banner tone={endTexts[state].tone}>{endTexts[state].text}</Banner>}
        {changed !== null && <Banner tone="warn">{changed} The program can propose it again.</Banner>}
        <dl className={definitionsStyles.grid}>
          <Fact name="App">{appName}</Fact>
          <Fact name="Server">{serverName}</Fact>
        </dl>
        {commands.length > 0 && <Commands commands={commands} effect={effectTexts[route]} />}
        <dl className={classNames(definitionsStyles.grid, definitionsStyles.three)}>
          <Fact name="Proposed by">
            <span className={styles.foreign}>{program.name}</span>{' '}
            <span className={typography.monospace}>…{program.lastFour}</span>
          </Fact>
          <Fact name="Kind">{tokenKindTexts[program.kind]}</Fact>
          <Fact name="Token made">
            <Time at={program.since} as="datetime" />
          </Fact>
          <Fact name="Proposed">
            <Time at={createdAt} />
          </Fact>
          {state === 'open' && (
            <Fact name="Ends">
              <Time at={expiresAt} as="datetime" />
            </Fact>
          )}
        </dl>
        <Why why={proposal.why} />
        <Acts proposal={proposal} />
      </div>
    </Panel>
  );
}

function Commands({ commands, effect }: { commands: readonly ProposedCommand[]; effect: string }) {
  return (
    <section className={classNames(layout.stack, layout.gap3)} aria-labelledby="commands">
      <h3 id="commands" className={typography.subheading}>
        What would run
      </h3>
      <p>{effect}</p>
      <ol className={classNames(layout.stack, layout.gap3)} aria-labelledby="commands">
        {commands.map(({ account, command, onlyIf }) => (
          <li key={`${onlyIf} ${command}`} className={classNames(layout.stack, layout.gap2)}>
            <span className={classNames(typography.small, typography.muted)}>
              As {account}
              {onlyIf !== null && `, if ${onlyIf}`}
            </span>
            <CodeLine text={command} what="command" wrap />
          </li>
        ))}
      </ol>
      <p className={classNames(typography.small, typography.muted)}>
        Besides, Homeport asks the server what runs there, which changes nothing.
      </p>
    </section>
  );
}

/** A program's words, drawn last and as text: whoever wrote what it read may have chosen them. */
function Why({ why }: { why: string }) {
  return (
    <figure className={styles.why}>
      <figcaption className={classNames(typography.small, typography.muted)}>
        What the program says. It may repeat what a stranger wrote in a log or a page.
      </figcaption>
      <blockquote className={classNames(typography.longWords, styles.foreign)}>{why}</blockquote>
    </figure>
  );
}

function Acts({ proposal: { id, state, changed, digest, operationId } }: { proposal: OpenProposal }) {
  const approve = useAct('POST /api/proposals/:id/approve', { onDone: (begun) => openOperation(begun.id) });
  const decline = useAct('POST /api/proposals/:id/decline');
  // The page would move the focus to the first button, and whoever presses Enter twice would approve unread.
  useLayoutEffect(() => document.querySelector('h1')?.focus({ preventScroll: true }), []);
  const error = approve.error ?? decline.error;
  if (state !== 'open')
    return operationId === null ? null : (
      <div className={layout.row}>
        <Button onClick={() => openOperation(operationId)}>Show the work</Button>
      </div>
    );
  const busy = approve.isPending || decline.isPending;
  return (
    <>
      {error && <ProblemBanner error={error} />}
      <div className={layout.row}>
        {changed === null && (
          <Approve
            busy={approve.isPending}
            disabled={busy}
            onPress={() => approve.mutate({ params: { id }, body: { digest } })}
          />
        )}
        <Button
          busy={decline.isPending}
          busyLabel="Declining"
          disabled={busy}
          onClick={() => decline.mutate({ params: { id } })}
        >
          Decline
        </Button>
      </div>
    </>
  );
}

/** Its second counts from each time that it appears. */
function Approve({ busy, disabled, onPress }: { busy: boolean; disabled: boolean; onPress: () => void }) {
  const isReadable = useReadable();
  return (
    <Button
      variant="primary"
      busy={busy}
      busyLabel="Approving"
      disabled={disabled || !isReadable}
      onClick={onPress}
    >
      Approve and run
    </Button>
  );
}

/** False until a person could have read the page: a click that was meant for what stood here before approves nothing. */
function useReadable(): boolean {
  const [isReadable, setReadable] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReadable(true), approvableAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return isReadable;
}
