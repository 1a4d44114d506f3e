import type { Server } from '@homeport/contract/servers/schema';
import type { Bytes } from '@homeport/signer/bytes';
import { useId, useRef } from 'react';
import { noCredential } from '../../keys/credential-options.ts';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { Switch } from '../../ui/form/Choice.tsx';
import controlsStyles from '../../ui/form/controls.module.css';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import { pluginConsent } from '../plugin-consent.ts';
import styles from './AddServerDialog.module.css';
import { LoginFields, PlaceFields } from './AddServerFields.tsx';
import { useAddServer } from './use-add-server.ts';

export interface AddServerDialogProps {
  /** Closing discards everything typed. */
  onClose: () => void;
  /** `password`: for the next connection only. Its receiver zero-fills it. */
  onAdded: (server: Server, password: Bytes | undefined) => void;
}

export function AddServerDialog({ onClose, onAdded }: AddServerDialogProps) {
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  const adding = useAddServer(onAdded);
  const { register, formState, watch } = adding.form;
  const { errors, isSubmitting } = formState;
  const isReadOnly = watch('credential') === noCredential;

  return (
    <Dialog
      open
      onClose={onClose}
      locked={isSubmitting}
      dirty={formState.isDirty}
      initialFocus={first}
      className={styles.dialog}
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
        onSubmit={adding.submit}
        inert={isSubmitting}
      >
        <PlaceFields adding={adding} first={first} />
        <LoginFields adding={adding} />
        <Switch
          label="Install Dokku"
          help={
            isReadOnly
              ? 'Only once you add a credential. Off leaves the machine as bare metal.'
              : 'Needed for apps and databases. Off leaves the machine as bare metal, with monitoring only.'
          }
          {...register('installDokku')}
        />
        {watch('installDokku') && !isReadOnly && (
          <p className={classNames(typography.small, typography.muted)}>{pluginConsent}</p>
        )}
        {errors.root && (
          <p className={controlsStyles.error} role="alert">
            {errors.root.message}
          </p>
        )}
        <p className={layout.visuallyHidden} role="status">
          {adding.notice && `${adding.notice} It is ${watch('subdomain')}.`}
        </p>
      </form>
    </Dialog>
  );
}
