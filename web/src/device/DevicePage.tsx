import {
  asUserCode,
  deviceLifeSeconds,
  isUserCode,
  terminalDays,
  userCodeLength,
} from '@homeport/contract/device/facts';
import type { DeviceRequest } from '@homeport/contract/device/schema';
import { rulesOfKind } from '@homeport/contract/tokens/facts';
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import { fieldProblem } from '../data/problem-text.ts';
import { useAct } from '../data/use-api.ts';
import { Page } from '../page-frame/Page.tsx';
import { ProblemBanner } from '../page-frame/ProblemBanner.tsx';
import { scopesInWords } from '../profile/programs/area-texts.ts';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { TextField } from '../ui/form/Field.tsx';
import definitionsStyles from '../ui/layout/definitions.module.css';
import { Fact } from '../ui/layout/Fact.tsx';
import layout from '../ui/layout/layout.module.css';
import { Panel } from '../ui/layout/Panel.tsx';
import { Time } from '../ui/text/Time.tsx';
import styles from './DevicePage.module.css';

type Stage =
  | { kind: 'code' }
  | { kind: 'review'; request: DeviceRequest }
  | { kind: 'approved' | 'declined'; name: string };

/**
 * Signs a terminal in. The person types the code; no address carries it, because whoever sends such an address wants into the
 * account of whoever opens it (RFC 8628, 5.4).
 */
export function DevicePage() {
  const [stage, setStage] = useState<Stage>({ kind: 'code' });
  const again = () => setStage({ kind: 'code' });
  return (
    <Page title="Connect a terminal" width="form">
      {stage.kind === 'code' && <CodeForm onFound={(request) => setStage({ kind: 'review', request })} />}
      {stage.kind === 'review' && (
        <Review
          request={stage.request}
          onDecided={(kind) => setStage({ kind, name: stage.request.name })}
          onAgain={again}
        />
      )}
      {(stage.kind === 'approved' || stage.kind === 'declined') && <Decided stage={stage} onAgain={again} />}
    </Page>
  );
}

const { idleMs } = rulesOfKind.terminal;
const endsUnused = idleMs === null ? '' : `, or ${idleMs / (24 * 60 * 60_000)} days without use`;

function CodeForm({ onFound }: { onFound: (request: DeviceRequest) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  const [sent, setSent] = useState(false);
  const look = useAct('POST /api/device/look', { onDone: onFound });
  const isCode = isUserCode(asUserCode(code));
  const wrong = sent && !isCode;
  const refusal = fieldProblem(look.error, 'code');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    input.current?.focus();
    if (isCode) look.mutate({ body: { code } });
  };
  return (
    <Panel
      className={styles.card}
      footer="Next you see which machine asks and what it may do, and decide then."
    >
      <form data-keeps="nothing" className={layout.stack} noValidate onSubmit={submit}>
        {look.error && refusal === undefined && <ProblemBanner error={look.error} />}
        <p>
          Type the code that <code>homeport login</code> shows in your terminal.
        </p>
        <TextField
          ref={input}
          label="Code"
          help={`${userCodeLength} letters. It ends ${deviceLifeSeconds / 60} minutes after the terminal showed it.`}
          error={wrong ? `A code has ${userCodeLength} letters, as in BDWP-HQPK.` : refusal}
          mono
          className={styles.code}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={userCodeLength * 2}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Banner tone="warn">
          Only type a code that you asked for yourself. Whoever sends you a code wants access to your account.
        </Banner>
        <Button type="submit" variant="primary" size="lg" block busy={look.isPending} busyLabel="Looking">
          Continue
        </Button>
      </form>
    </Panel>
  );
}

interface ReviewProps {
  request: DeviceRequest;
  onDecided: (decision: 'approved' | 'declined') => void;
  onAgain: () => void;
}

function Review({ request, onDecided, onAgain }: ReviewProps) {
  const { id, name, platform, address, requestedAt, scopes } = request;
  const approve = useAct('POST /api/device/:id/approve', { onDone: () => onDecided('approved') });
  const decline = useAct('POST /api/device/:id/decline', { onDone: () => onDecided('declined') });
  const error = approve.error ?? decline.error;
  const busy = approve.isPending || decline.isPending;
  // The page would move the focus to the first button, and whoever presses Enter twice would approve unread.
  useLayoutEffect(() => document.querySelector('h1')?.focus({ preventScroll: true }), []);
  return (
    <Panel
      title="Did you just type homeport login on this machine?"
      footer={`The terminal gets a token of its own. It ends after ${terminalDays} days${endsUnused}, and you can revoke it on your profile at any time.`}
    >
      <div className={layout.stack}>
        {error && <ProblemBanner error={error} />}
        <dl className={definitionsStyles.grid}>
          <Fact name="Machine">{name}</Fact>
          <Fact name="System">{platform}</Fact>
          <Fact name="Address">{address}</Fact>
          <Fact name="Asked">
            <Time at={requestedAt} />
          </Fact>
          <Fact name="May" whole>
            {scopesInWords(scopes)}. With a server’s key in its own SSH agent, it reads logs of apps there,
            and deploys, starts, stops and restarts them. What it proposes, you approve or decline here.
          </Fact>
        </dl>
        <Banner tone="warn">
          Machine and system are what the terminal says of itself. If somebody sent you the code, decline.
        </Banner>
        <div className={classNames(layout.row)}>
          <Button
            variant="primary"
            busy={approve.isPending}
            busyLabel="Approving"
            disabled={busy}
            onClick={() => approve.mutate({ params: { id } })}
          >
            Yes, sign it in
          </Button>
          <Button disabled={busy} onClick={() => decline.mutate({ params: { id } })}>
            No, decline
          </Button>
          {error && <Button onClick={onAgain}>Type another code</Button>}
        </div>
      </div>
    </Panel>
  );
}

interface DecidedProps {
  stage: { kind: 'approved' | 'declined'; name: string };
  onAgain: () => void;
}

function Decided({ stage: { kind, name }, onAgain }: DecidedProps) {
  return (
    <Panel>
      <div className={layout.stack}>
        <Banner tone={kind === 'approved' ? 'ok' : 'info'}>
          {kind === 'approved'
            ? `${name} is signed in. Go on in the terminal.`
            : `${name} was refused. It got nothing, and its code has ended.`}
        </Banner>
        <div className={classNames(layout.row)}>
          <Button onClick={onAgain}>Type another code</Button>
        </div>
      </div>
    </Panel>
  );
}
