import type { Server } from '@homeport/contract/servers/schema';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { isProblem, problemText } from '../../data/api-problem.ts';
import { call } from '../../data/call.ts';
import { topicKey } from '../../data/query-keys.ts';
import { useApi } from '../../data/use-api.ts';
import { type Bytes, utf8 } from '../../keys/bytes.ts';
import { useHeldKeys } from '../../keys/keystore/use-held-keys.ts';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { Switch } from '../../ui/form/Choice.tsx';
import controlsStyles from '../../ui/form/controls.module.css';
import { PasswordField, Select, TextField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import styles from './AddServerDialog.module.css';
import {
  type AddServerForm,
  type AddServerValues,
  addServerForm,
  cannotReport,
  emptyForm,
} from './add-server-form.ts';

export interface AddServerDialogProps {
  /** Closing forgets everything that was typed. */
  onClose: () => void;
  /** `password`: for the one connection that follows; its receiver zero-fills it. */
  onAdded: (server: Server, password: Bytes | undefined) => void;
}

const picked = 'A subdomain was picked for you. Check it, then press Add server again.';

export function AddServerDialog({ onClose, onAdded }: AddServerDialogProps) {
  const client = useQueryClient();
  const id = useId();
  const configuration = useApi('GET /api/configuration').data;
  const keys = useApi('GET /api/keys');
  const held = useHeldKeys().data?.held;
  const password = useRef<HTMLInputElement>(null);
  const first = useRef<HTMLInputElement>(null);
  const [passwordError, setPasswordError] = useState<string | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const [next, setNext] = useState<keyof AddServerForm | null>(null);
  const form = useForm<AddServerForm, unknown, AddServerValues>({
    resolver: zodResolver(addServerForm),
    defaultValues: emptyForm,
    mode: 'onTouched',
  });
  const { register, formState, setError, setValue, setFocus, watch } = form;
  const { errors, isSubmitting } = formState;
  const [ip, credential, subdomain] = watch(['ip', 'credential', 'subdomain']);
  const usesPassword = credential === 'password';
  const name = register('name');

  // A form that is being sent is inert, and nothing in it takes the focus.
  useEffect(() => {
    if (isSubmitting || next === null) return;
    setFocus(next);
    setNext(null);
  }, [isSubmitting, next, setFocus]);

  const submit = form.handleSubmit(async (values) => {
    setNotice(null);
    const typed = usesPassword ? (password.current?.value ?? '') : null;
    if (typed === '') {
      setPasswordError('Enter the password.');
      return password.current?.focus();
    }
    try {
      if (values.subdomain === '') {
        setValue('subdomain', (await call('GET /api/subdomains')).suggestion, { shouldDirty: true });
        setNotice(picked);
        return setNext('subdomain');
      }
      const server = await call('POST /api/servers', { body: values });
      if (password.current) password.current.value = '';
      await client.invalidateQueries({ queryKey: topicKey('servers') });
      onAdded(server, typed === null ? undefined : utf8(typed));
    } catch (error) {
      const fields = isProblem(error) ? Object.entries(error.problem.fields ?? {}) : [];
      if (fields.length === 0) return setError('root', { message: problemText(error) });
      for (const [name, message] of fields) {
        if (!isField(name)) continue;
        setError(name, { message });
        setNext(name);
      }
    }
  });

  const holdsKey = held?.has(credential) ?? true;
  return (
    <Dialog
      open
      onClose={onClose}
      locked={isSubmitting}
      dirty={formState.isDirty}
      initialFocus={first}
      title="Add a New Server"
      description="A cloud machine or bare metal that answers SSH."
      footer={
        <>
          <Button className={layout.atEnd} onClick={onClose} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={id} busy={isSubmitting} busyLabel="Adding">
            Add server
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={classNames(layout.stack, layout.gap5)}
        noValidate
        onSubmit={submit}
        inert={isSubmitting}
      >
        <div className={controlsStyles.pair}>
          <TextField
            label="Name"
            autoComplete="off"
            error={errors.name?.message}
            {...name}
            ref={(input) => {
              name.ref(input);
              first.current = input;
            }}
          />
          <TextField
            label="IPv4 address"
            mono
            inputMode="decimal"
            autoComplete="off"
            error={errors.ip?.message}
            {...register('ip')}
          />
        </div>
        {configuration && cannotReport(ip, configuration.reachableUrl) && (
          <Banner tone="warn">
            <p>
              That machine cannot reach this console at {configuration.publicUrl}, so its monitoring agent
              could not report and the installation would stop there. Set <code>HOMEPORT_PUBLIC_URL</code> to
              an address that it can reach and restart the console first.
            </p>
          </Banner>
        )}
        <TextField
          label="Subdomain"
          optional
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...(configuration?.appDomain ? { suffix: `.${configuration.appDomain}` } : {})}
          help={
            configuration?.appDomain
              ? 'Its apps are served under this name.'
              : 'Its name under the shared suffix, once this console has one.'
          }
          ok={notice}
          error={errors.subdomain?.message}
          {...register('subdomain', { onChange: () => setNotice(null) })}
        />
        <div className={controlsStyles.pair}>
          <Select
            label="Credential"
            error={errors.credential?.message}
            options={[
              { value: '', label: keys.isPending ? 'Loading your keys' : 'Choose one' },
              ...(keys.data ?? []).map((key) => ({
                value: key.id,
                label: held && !held.has(key.id) ? `${key.name} (not in this browser)` : key.name,
              })),
              { value: 'password', label: 'Password' },
            ]}
            help={
              usesPassword ? null : credentialHelp(keys.data?.length === 0, !holdsKey && credential !== '')
            }
            {...register('credential')}
          />
          <div className={classNames(controlsStyles.pair, styles.account)}>
            <TextField
              label="Username"
              optional
              mono
              placeholder="root"
              autoComplete="off"
              error={errors.username?.message}
              {...register('username')}
            />
            <TextField
              label="Port"
              mono
              inputMode="numeric"
              autoComplete="off"
              error={errors.port?.message}
              {...register('port')}
            />
          </div>
        </div>
        {usesPassword && (
          <PasswordField
            ref={password}
            label="Password"
            autoComplete="off"
            help="Goes to the server once, for this connection, and is not kept."
            error={passwordError}
            onChange={() => setPasswordError(null)}
          />
        )}
        <Switch
          label="Install Dokku"
          help="Needed for apps and databases. Off leaves the machine as bare metal, with monitoring only."
          {...register('installDokku')}
        />
        {errors.root && (
          <p className={controlsStyles.error} role="alert">
            {errors.root.message}
          </p>
        )}
        <p className={layout.visuallyHidden} role="status">
          {notice && `${notice} It is ${subdomain}.`}
        </p>
      </form>
    </Dialog>
  );
}

function credentialHelp(none: boolean, missing: boolean): ReactNode {
  if (none)
    return (
      <>
        You have no keypair yet. <Link to="/ssh-keys/new">Add a keypair</Link>
      </>
    );
  if (missing)
    return (
      <>
        This browser does not hold its private key. <Link to="/ssh-keys">Import it</Link> before you connect.
      </>
    );
  return null;
}

const isField = (name: string): name is keyof AddServerForm => Object.hasOwn(emptyForm, name);
