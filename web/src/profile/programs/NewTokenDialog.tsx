import { nameCharacters } from '@homeport/contract/fields/facts';
import {
  hasLevel,
  kindsOfForm,
  rulesOfKind,
  type TokenArea,
  type TokenKind,
  tokenAreas,
} from '@homeport/contract/tokens/facts';
import { type FormEvent, useId, useReducer, useRef } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { CodeLine } from '../../ui/button/CodeLine.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import controlsStyles from '../../ui/form/controls.module.css';
import { TextField } from '../../ui/form/Field.tsx';
import { Segments } from '../../ui/form/Segments.tsx';
import { Select } from '../../ui/form/Select.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Icon } from '../../ui/picture/Icon.tsx';
import typography from '../../ui/text/typography.module.css';
import { areaTexts, statsNote, tokenKindTexts } from './area-texts.ts';
import {
  emptyTokenForm,
  levelOf,
  scopesOf,
  type TokenForm,
  type TokenFormEvent,
  tokenForm,
  tokenProblems,
} from './token-form.ts';

/** Makes a token, and shows it once. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const make = useAct('POST /api/tokens');
  if (make.data) return <MadeToken token={make.data.token} name={make.data.record.name} onClose={onClose} />;
  return <TokenFormDialog make={make} onClose={onClose} />;
}

type Make = ReturnType<typeof useAct<'POST /api/tokens'>>;

function TokenFormDialog({ make, onClose }: { make: Make; onClose: () => void }) {
  const formId = useId();
  const name = useRef<HTMLInputElement>(null);
  const [form, tell] = useReducer(tokenForm, emptyTokenForm);
  const problems = form.sent ? tokenProblems(form) : {};
  const refusals = { name: fieldProblem(make.error, 'name'), scopes: fieldProblem(make.error, 'scopes') };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tell({ type: 'sent' });
    const wrong = tokenProblems(form);
    if (wrong.name) name.current?.focus();
    if (wrong.name || wrong.scopes) return;
    make.mutate({ body: { kind: form.kind, name: form.name, days: form.days, scopes: scopesOf(form) } });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="New API token"
      description={whatItDoes(form.kind)}
      dirty={form !== emptyTokenForm}
      initialFocus={name}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} busy={make.isPending} busyLabel="Making">
          Make token
        </SubmitButtons>
      }
    >
      <form
        data-keeps="choices"
        id={formId}
        className={layout.stack}
        noValidate
        inert={make.isPending}
        onSubmit={submit}
      >
        {make.error && !refusals.name && !refusals.scopes && <ProblemBanner error={make.error} />}
        <div className={classNames(layout.row, layout.spaceBetween)}>
          <span aria-hidden="true" className={typography.strong}>
            Used by
          </span>
          <Segments
            legend="Used by"
            value={form.kind}
            options={kindsOfForm.map((kind) => ({ value: kind, label: tokenKindTexts[kind] }))}
            onChange={(kind) => tell({ type: 'uses', kind })}
          />
        </div>
        <TextField
          ref={name}
          label="Name"
          help="Say which program uses the token."
          autoComplete="off"
          maxLength={nameCharacters}
          value={form.name}
          error={problems.name ?? refusals.name}
          onChange={(event) => tell({ type: 'named', name: event.currentTarget.value })}
        />
        <Select
          label="Expires"
          value={String(form.days)}
          options={lifetimes}
          onChange={(event) => tell({ type: 'lives', days: Number(event.currentTarget.value) })}
        />
        <Areas form={form} tell={tell} error={problems.scopes ?? refusals.scopes} />
      </form>
    </Dialog>
  );
}

const whatItDoes = (kind: TokenKind) =>
  rulesOfKind[kind].levels.includes('write')
    ? `A ${tokenKindTexts[kind].toLowerCase()} with this token acts as you, in the areas that you open.`
    : `A ${tokenKindTexts[kind].toLowerCase()} with this token reads as you, in the areas that you open. It changes nothing; what it proposes, you approve or decline here.`;

const lifetimes = [
  { value: '7', label: 'After 7 days' },
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
];

interface AreasProps {
  form: TokenForm;
  tell: (event: TokenFormEvent) => void;
  error: string | undefined;
}

function Areas({ form, tell, error }: AreasProps) {
  const errorId = useId();
  return (
    <fieldset
      className={classNames(layout.stack, layout.gap2)}
      aria-describedby={error ? errorId : undefined}
    >
      <legend className={typography.strong}>Areas</legend>
      {tokenAreas.map((area) => (
        <div key={area} className={classNames(layout.row, layout.spaceBetween)}>
          <span aria-hidden="true">{areaTexts[area]}</span>
          <Segments
            legend={areaTexts[area]}
            value={levelOf(form, area)}
            options={optionsOf(area, form.kind)}
            onChange={(level) => tell({ type: 'opened', area, level })}
          />
        </div>
      ))}
      {levelOf(form, 'stats') !== 'none' && (
        <p className={classNames(typography.small, typography.muted)}>{statsNote}</p>
      )}
      <div id={errorId} aria-live="polite">
        {error && (
          <p className={controlsStyles.error}>
            <Icon name="danger" size={14} />
            {error}
          </p>
        )}
      </div>
    </fieldset>
  );
}

const levels = [
  { value: 'none', label: 'Closed' },
  { value: 'read', label: 'Read' },
  { value: 'propose', label: 'Propose' },
  { value: 'write', label: 'Write' },
] as const;

const optionsOf = (area: TokenArea, kind: TokenKind) =>
  levels.filter(
    ({ value }) => value === 'none' || (hasLevel(area, value) && rulesOfKind[kind].levels.includes(value)),
  );

interface MadeTokenProps {
  token: string;
  name: string;
  onClose: () => void;
}

function MadeToken({ token, name, onClose }: MadeTokenProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Token ${name}`}
      description="Copy the token now. The console keeps only its hash and cannot show it again."
      footer={
        <Button className={layout.atEnd} variant="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <div className={layout.stack}>
        <CodeLine text={token} what="token" masked wrap />
        <Banner>
          Send it as <code>Authorization: Bearer</code> without a cookie. The routes and their scopes are in{' '}
          <a href="/api/openapi.json">the api’s OpenAPI document</a>.
        </Banner>
      </div>
    </Dialog>
  );
}
