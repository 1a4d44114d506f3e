import { messages } from '@homeport/contract/messages';
import { Link } from '@tanstack/react-router';
import type { ReactNode, RefObject } from 'react';
import { useSession } from '../../data/session.ts';
import { useApi } from '../../data/use-api.ts';
import { credentialOptions, noCredential } from '../../keys/credential-options.ts';
import { useHeldKeys } from '../../keys/keystore/use-held-keys.ts';
import { classNames } from '../../ui/class-names.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { Switch } from '../../ui/form/Choice.tsx';
import controlsStyles from '../../ui/form/controls.module.css';
import { PasswordField, TextField } from '../../ui/form/Field.tsx';
import { Select } from '../../ui/form/Select.tsx';
import styles from './AddServerFields.module.css';
import { linkedAs, mayNotReport } from './add-server-form.ts';
import type { AddServer } from './use-add-server.ts';

/** The server's name, its address, and its subdomain under the shared suffix. */
export function PlaceFields({
  adding,
  first,
}: {
  adding: AddServer;
  first: RefObject<HTMLInputElement | null>;
}) {
  const { owner } = useSession();
  const configuration = useApi('GET /api/configuration').data;
  const { register, formState, setValue, watch } = adding.form;
  const { errors } = formState;
  const name = register('name');
  return (
    <>
      <div className={classNames(controlsStyles.pair, styles.address)}>
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
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          help="Or an IPv6 address, or a host name."
          error={errors.ip?.message}
          {...register('ip', { onChange: () => setValue('otherMachine', false) })}
        />
      </div>
      <LinkedAlready adding={adding} />
      {configuration && mayNotReport(watch('ip'), configuration.reachableUrl) && (
        <Banner tone="warn">
          <p>
            Only its own machine reaches this console at {configuration.publicUrl}. On another machine the
            monitoring agent could not report, and the installation would stop there.{' '}
            {owner ? (
              <>
                Set <code>HOMEPORT_PUBLIC_URL</code> to an address that other machines reach and restart the
                console first.
              </>
            ) : (
              'Ask whoever runs this console for an address that other machines reach.'
            )}
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
        ok={adding.notice}
        error={errors.subdomain?.message}
        {...register('subdomain', { onChange: adding.forgetNotice })}
      />
    </>
  );
}

const another = 'Another machine answers behind this address';

/** Offers the server that is linked under this address, and lets the user say that this is another machine. */
function LinkedAlready({ adding }: { adding: AddServer }) {
  const servers = useApi('GET /api/servers').data;
  const { register, watch, formState } = adding.form;
  const [ip, port, otherMachine] = watch(['ip', 'port', 'otherMachine']);
  const found = linkedAs({ ip, port }, servers ?? []);
  // The console compares what names lead to, which this page does not know.
  const isRefused = formState.errors.ip?.message === messages.ipExists;
  if (!found && (isRefused || otherMachine)) {
    return (
      <Banner tone="warn">
        <p>{ip} leads to a machine that is linked already.</p>
        <Switch label={another} {...register('otherMachine')} />
      </Banner>
    );
  }
  if (!found) return null;
  const { server, samePort } = found;
  return (
    <Banner tone="warn">
      <p>
        This machine is already linked as{' '}
        <Link to="/server/$key" params={{ key: server.key }}>
          {server.name}
        </Link>
        , on port {server.port}.
      </p>
      {!samePort && <Switch label={another} {...register('otherMachine')} />}
    </Banner>
  );
}

/** The login account, the port and the credential. */
export function LoginFields({ adding }: { adding: AddServer }) {
  const { register, formState, watch } = adding.form;
  const { errors } = formState;
  return (
    <>
      <div className={controlsStyles.pair}>
        <CredentialField adding={adding} />
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
      {watch('credential') === 'password' && (
        <PasswordField
          ref={adding.password}
          label="Password"
          autoComplete="off"
          help="Goes to the server once, for this connection, and is not kept."
          error={adding.passwordError}
          onChange={adding.forgetPasswordError}
        />
      )}
    </>
  );
}

function CredentialField({ adding }: { adding: AddServer }) {
  const keys = useApi('GET /api/keys');
  const held = useHeldKeys().data?.held;
  const { register, formState, watch } = adding.form;
  const credential = watch('credential');
  const holdsKey = credential === noCredential || (held?.has(credential) ?? true);
  return (
    <Select
      label="Credential"
      error={formState.errors.credential?.message}
      options={[
        { value: '', label: keys.isPending ? 'Loading your keys' : 'Choose one' },
        ...credentialOptions(keys.data ?? [], held),
      ]}
      help={
        credential === noCredential
          ? 'The server is read-only: you install its agent with one line, and nothing runs on it from here.'
          : credential === 'password'
            ? null
            : credentialHelp(keys.data?.length === 0, !holdsKey && credential !== '')
      }
      {...register('credential')}
    />
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
        This browser does not hold its private key. The server is saved all the same, and nothing runs on it
        until you <Link to="/ssh-keys">import the key</Link> here or use a browser that holds it.
      </>
    );
  return null;
}
