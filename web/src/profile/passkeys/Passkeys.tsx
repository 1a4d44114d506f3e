import type { Passkey } from '@homeport/contract/passkeys/schema';
import { useState } from 'react';
import { orSentence } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/dialog/confirm-on-demand.ts';
import { NothingYet } from '../../ui/feedback/States.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import layout from '../../ui/layout/layout.module.css';
import { PanelPart } from '../../ui/layout/Panel.tsx';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { onDemand } from '../../ui/on-demand.tsx';
import { useFirstRows } from '../../ui/table/use-first-rows.tsx';
import { formatDate } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';

const AddPasskeyDialog = onDemand(async () => (await import('./AddPasskeyDialog.tsx')).AddPasskeyDialog);
const RenamePasskeyDialog = onDemand(
  async () => (await import('./RenamePasskeyDialog.tsx')).RenamePasskeyDialog,
);

const shownFirst = 10;

type Layer = { kind: 'none' } | { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey };

/** The passkeys with which the person signs in. */
export function Passkeys() {
  const passkeys = useApi('GET /api/passkeys');
  const { shown, more } = useFirstRows(passkeys.data ?? [], shownFirst);
  const [layer, setLayer] = useState<Layer>({ kind: 'none' });
  const close = () => setLayer({ kind: 'none' });
  return (
    <PanelPart
      id="passkeys"
      title="Passkeys"
      busy={passkeys.isPending}
      actions={
        <>
          {more}
          <Button size="sm" icon="plus" onClick={() => setLayer({ kind: 'add' })}>
            Add passkey
          </Button>
        </>
      }
      footer={
        (passkeys.data?.length ?? 0) > 0 &&
        'The second step is asked for all the same. A removed passkey ends no sign-in.'
      }
    >
      <NotLoaded query={passkeys} title="The passkeys could not be loaded" rows={1} />
      {passkeys.data?.length === 0 && (
        <NothingYet>
          None yet. A passkey signs you in without the password: a device proves it with its PIN, a finger or
          a face.
        </NothingYet>
      )}
      {passkeys.data && passkeys.data.length > 0 && (
        <ul
          className={classNames(settingsListStyles.settings, settingsListStyles.dense)}
          aria-label="Passkeys"
        >
          {shown.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} onOpen={setLayer} />
          ))}
        </ul>
      )}
      {layer.kind === 'add' && <AddPasskeyDialog onClose={close} />}
      {layer.kind === 'rename' && <RenamePasskeyDialog passkey={layer.passkey} onClose={close} />}
      {layer.kind === 'remove' && <RemoveDialog passkey={layer.passkey} onClose={close} />}
    </PanelPart>
  );
}

interface PasskeyLineProps {
  passkey: Passkey;
  onOpen: (layer: Layer) => void;
}

function PasskeyLine({ passkey, onOpen }: PasskeyLineProps) {
  const { name, backedUp, createdAt, lastUsedAt } = passkey;
  return (
    <li>
      <span className={typography.twoLines}>
        <span className={typography.strong}>{name}</span>
        <small>
          {backedUp ? 'Kept on several devices' : 'On one device'}. Added {formatDate(createdAt)},{' '}
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              last used <Time at={lastUsedAt} />
            </>
          )}
        </small>
      </span>
      <span className={layout.row}>
        <Button
          size="sm"
          onPointerEnter={RenamePasskeyDialog.prepare}
          onFocus={RenamePasskeyDialog.prepare}
          onClick={() => onOpen({ kind: 'rename', passkey })}
        >
          Rename<span className={layout.visuallyHidden}> the passkey {name}</span>
        </Button>
        <Button
          size="sm"
          onPointerEnter={ConfirmDialog.prepare}
          onFocus={ConfirmDialog.prepare}
          onClick={() => onOpen({ kind: 'remove', passkey })}
        >
          Remove<span className={layout.visuallyHidden}> the passkey {name}</span>
        </Button>
      </span>
    </li>
  );
}

function RemoveDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const remove = useAct('DELETE /api/passkeys/:id', { onDone: () => toast.ok(`Passkey ${name} removed`) });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Remove ${name}?`}
      description="Nobody signs in with this passkey from now on. The device may still list it: remove it there too."
      action="Remove passkey"
      busyLabel="Removing"
      onConfirm={() => orSentence(remove.mutateAsync({ params: { id } }))}
    />
  );
}
