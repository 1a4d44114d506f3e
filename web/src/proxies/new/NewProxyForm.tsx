import { nameCharacters } from '@homeport/contract/fields/facts';
import { subdomainCharacters } from '@homeport/contract/proxies/facts';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { toast } from '../../ui/feedback/toasts.ts';
import controlsStyles from '../../ui/form/controls.module.css';
import { TextField, type TextFieldProps } from '../../ui/form/Field.tsx';
import { focusFirstWrong, focusFirstWrongOnceDrawn } from '../../ui/form/focus-first-wrong.ts';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { ServedWhen } from '../ServedWhen.tsx';
import { emptyProxy, type ProxyField, readProxy, wholeDomain } from './proxy-draft.ts';

const fields = Object.keys(emptyProxy) as ProxyField[];

/** The form keeps everything typed, whether the creation succeeds or fails. */
export function NewProxyForm() {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const [draft, setDraft] = useState(emptyProxy);
  const [checked, setChecked] = useState(false);
  const add = useAct('POST /api/proxies', {
    onDone: ({ id, name }) => {
      toast.ok('Proxy Created', { detail: name, page: `/proxy/${id}` });
      void navigate({ to: '/proxy/$id', params: { id } });
    },
  });
  const reading = readProxy(draft);
  const problems = checked && !reading.ok ? reading.problems : {};
  const problemOf = (field: ProxyField) => problems[field] ?? fieldProblem(add.error, field);
  const domain = wholeDomain(draft);

  useEffect(() => {
    if (add.error) focusFirstWrong(form.current);
  }, [add.error]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (reading.ok) add.mutate({ body: reading.body });
    else focusFirstWrongOnceDrawn(form.current);
  };
  const field = (name: ProxyField) => ({
    value: draft[name],
    error: problemOf(name),
    autoComplete: 'off',
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      setDraft({ ...draft, [name]: event.currentTarget.value }),
  });

  return (
    <form
      ref={form}
      className={classNames(layout.stack, layout.gap5)}
      noValidate
      aria-label="New proxy"
      inert={add.isPending}
      onSubmit={submit}
    >
      {add.error && !fields.some((name) => fieldProblem(add.error, name)) && (
        <ProblemBanner error={add.error}>The proxy was not created.</ProblemBanner>
      )}
      <Panel
        footer={
          <p>
            <ServedWhen />
          </p>
        }
      >
        <div className={classNames(layout.stack, layout.gap5)}>
          <ProxyFields domain={domain} field={field} />
          <div className={layout.row}>
            <Button
              className={layout.atEnd}
              type="submit"
              variant="primary"
              busy={add.isPending}
              busyLabel="Creating"
            >
              Create proxy
            </Button>
          </div>
        </div>
      </Panel>
    </form>
  );
}

interface ProxyFieldsProps {
  /** The whole name that visitors will open; empty while there is none. */
  domain: string;
  field: (name: ProxyField) => Pick<TextFieldProps, 'value' | 'error' | 'autoComplete' | 'onChange'>;
}

function ProxyFields({ domain, field }: ProxyFieldsProps) {
  const zones = useApi('GET /api/zones').data?.zones ?? [];
  const zonesId = useId();
  return (
    <>
      <div className={controlsStyles.pair}>
        <TextField
          label="Domain"
          mono
          placeholder="example.com"
          inputMode="url"
          list={zones.length > 0 ? zonesId : undefined}
          // There from the beginning: a line that came with the zones would move the button under the pointer.
          help={
            zones.length > 0
              ? 'One of your Cloudflare zones, or any other domain of yours.'
              : 'Any domain of yours.'
          }
          {...field('domain')}
        />
        <datalist id={zonesId}>
          {zones.map(({ id, name }) => (
            <option key={id} value={name} />
          ))}
        </datalist>
        <TextField
          label="Subdomain"
          optional
          mono
          placeholder="www"
          maxLength={subdomainCharacters}
          {...field('subdomain')}
        />
      </div>
      <TextField
        label="Current website location"
        mono
        inputMode="url"
        placeholder="https://www.example.net"
        help={`Takes every page of ${domain || 'the domain'} that no rule takes. Without http:// it is read as https.`}
        {...field('source')}
      />
      <TextField
        label="Name"
        optional
        maxLength={nameCharacters}
        placeholder={domain}
        help="Shown in your lists. Empty: the domain."
        {...field('name')}
      />
    </>
  );
}
