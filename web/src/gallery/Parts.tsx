import { useState } from 'react';
import { Button } from '../ui/button/Button.tsx';
import { ButtonExternalLink, ButtonLink, DownloadLink } from '../ui/button/ButtonLink.tsx';
import { CopyValue, ExternalLink } from '../ui/button/CodeLine.tsx';
import { PathLink } from '../ui/button/PathLink.tsx';
import { classNames } from '../ui/class-names.ts';
import { ClickAgainButton } from '../ui/click-again/ClickAgainButton.tsx';
import { Conflict } from '../ui/dialog/Conflict.tsx';
import { StaleList } from '../ui/feedback/StaleList.tsx';
import { NothingMatches, Skeleton } from '../ui/feedback/States.tsx';
import { FilterChoice } from '../ui/form/FilterChoice.tsx';
import { SubmitFoot } from '../ui/form/SubmitFoot.tsx';
import definitionsStyles from '../ui/layout/definitions.module.css';
import { Fact } from '../ui/layout/Fact.tsx';
import layout from '../ui/layout/layout.module.css';
import { Panel } from '../ui/layout/Panel.tsx';
import { Time } from '../ui/text/Time.tsx';
import { loadedAt } from './samples.ts';

const kinds = [
  ['deploy', 'Deploys'],
  ['uptime', 'Uptime'],
] as const;

/** The smaller parts: links, facts, what stands above and below a list, and the end of a form. */
export function Parts() {
  return (
    <div className={layout.twoColumns} id="parts-of-pages">
      <Links />
      <Panel title="Facts">
        <dl className={definitionsStyles.list}>
          <Fact name="Address">
            <CopyValue text="203.0.113.24" what="address" />
          </Fact>
          <Fact name="Created">
            <Time at={loadedAt} as="datetime" />
          </Fact>
          <Fact name="Container">{null}</Fact>
        </dl>
      </Panel>
      <AboveAList />
      <Panel title="End of a form">
        <SubmitFoot>
          <p>No price: it runs on your own server.</p>
          <Button variant="primary">Create app</Button>
        </SubmitFoot>
      </Panel>
      <Panel title="Changed elsewhere">
        <Conflict
          rows={[{ label: 'Memory', mine: '1024 MB', theirs: '512 MB' }]}
          onKeepMine={() => undefined}
          onTakeTheirs={() => undefined}
        />
      </Panel>
      <Panel title="Nothing matches" body="flush">
        <NothingMatches onClear={() => undefined} />
      </Panel>
    </div>
  );
}

function Links() {
  return (
    <Panel title="Links and last questions">
      <div className={layout.stack}>
        <div className={classNames(layout.row, layout.wrap, layout.gap3)}>
          <ButtonLink to="/apps">All applications</ButtonLink>
          <ButtonExternalLink href="https://apps.example/ledger">Open app</ButtonExternalLink>
          <DownloadLink href="/api/nothing" icon="download">
            Download
          </DownloadLink>
        </div>
        <p>
          <PathLink path="/servers">A page of the console</PathLink>, or{' '}
          <ExternalLink href="https://apps.example/ledger">apps.example</ExternalLink>
        </p>
        <ClickAgainButton label="Delete rule 2" what="Rule 2, /journal" onConfirm={() => undefined} />
      </div>
    </Panel>
  );
}

function AboveAList() {
  const [kind, setKind] = useState('all');
  return (
    <Panel title="Above a list">
      <div className={layout.stack}>
        <FilterChoice label="Kind" all="All news" value={kind} options={kinds} onChange={setKind} />
        <StaleList what="apps" loadedAt={loadedAt} onRetry={() => undefined} />
        <Skeleton height="2.25rem" />
      </div>
    </Panel>
  );
}
