import { noPusherLeft, pushNamesAtMost } from '@homeport/contract/apps/push-keys/facts';
import type { PushKey, PushList } from '@homeport/contract/apps/push-keys/schema';
import type { Key } from '@homeport/contract/credentials/schema';
import { type FormEvent, useId, useState } from 'react';
import { useAct, useApi } from '../../../data/use-api.ts';
import { ServerRead } from '../../../on-server/ServerRead.tsx';
import { openOperation } from '../../../operations/open-operation.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { CodeLine } from '../../../ui/button/CodeLine.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../../ui/dialog/SubmitButtons.tsx';
import { Checkbox } from '../../../ui/form/Choice.tsx';
import controlsStyles from '../../../ui/form/controls.module.css';
import layout from '../../../ui/layout/layout.module.css';
import { Icon } from '../../../ui/picture/Icon.tsx';
import typography from '../../../ui/text/typography.module.css';
import { closedOnApp } from '../../closed-on-app.ts';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';
import styles from './PushKeysDialog.module.css';
import { changeOf, idOf, isChosen, type PushDraft, untouched } from './push-draft.ts';
import { titleOf } from './push-keys-text.ts';
import { fixedReason, remarkOf, standText } from './push-texts.ts';

/** Which keys may push to the app: the person's own, and those that the server has. */
export function PushKeysDialog({ place, onClose }: { place: AppPlace; onClose: () => void }) {
  const { app, server, connect } = place;
  const formId = useId();
  const [draft, setDraft] = useState(untouched);
  const keys = useApi('GET /api/keys').data;
  const { state } = useOnServer('GET /api/apps/:id/push-keys', place, null);
  const change = useAct('POST /api/apps/:id/push-keys', {
    onDone: ({ id }) => {
      onClose();
      openOperation(id);
    },
  });
  const list = state.kind === 'ready' ? state.data : null;
  const { body, isEmpty } = list ? changeOf(list, draft) : { body: null, isEmpty: false };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (body) change.mutate({ params: { id: app.id }, body });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      dirty={draft.size > 0 && (body !== null || isEmpty) && !change.isPending}
      title={`Who may push to ${app.name}`}
      description="Keys that deploy the app with git push. How Homeport logs in to the server does not change, and nothing restarts."
      footer={
        <SubmitButtons
          form={formId}
          onCancel={onClose}
          disabled={body === null || list?.isTooLong === true || closedOnApp(app, server) !== null}
          busy={change.isPending}
          busyLabel="Changing"
        >
          Change keys
        </SubmitButtons>
      }
    >
      <form id={formId} className={layout.stack} noValidate inert={change.isPending} onSubmit={submit}>
        {change.error && <ProblemBanner error={change.error} />}
        <ServerRead state={keys ? state : { kind: 'loading' }} connect={connect} what="the keys" rows={3}>
          {(told) => (
            <Keys list={told} keys={keys ?? []} draft={draft} isEmpty={isEmpty} onDraft={setDraft} />
          )}
        </ServerRead>
      </form>
    </Dialog>
  );
}

interface KeysProps {
  list: PushList;
  keys: readonly Key[];
  draft: PushDraft;
  isEmpty: boolean;
  onDraft: (draft: PushDraft) => void;
}

function Keys({ list, keys, draft, isEmpty, onDraft }: KeysProps) {
  const errorId = useId();
  return (
    <>
      <p className={typography.small}>{standText(list)}</p>
      {list.isTooLong && (
        <p className={typography.small}>
          The list has more than {pushNamesAtMost} keys. Homeport changes no list of that length.
        </p>
      )}
      <fieldset className={controlsStyles.field} aria-describedby={isEmpty ? errorId : undefined}>
        <legend className={controlsStyles.label}>Keys that may push</legend>
        <div className={classNames(layout.stack, layout.gap2, styles.keys)}>
          {list.keys.map((key) => (
            <Checkbox
              key={idOf(key)}
              checked={isChosen(list, key, draft)}
              disabled={list.isTooLong || fixedReason(list, key) !== null}
              aria-invalid={isEmpty ? true : undefined}
              onChange={({ currentTarget: { checked } }) => onDraft(new Map(draft).set(idOf(key), checked))}
              label={<KeyLabel list={list} of={key} title={titleOf(key, keys)} />}
            />
          ))}
        </div>
        {isEmpty && (
          <p className={controlsStyles.error} id={errorId} role="alert">
            <Icon name="danger" size={14} />
            {noPusherLeft}
          </p>
        )}
      </fieldset>
      {list.more > 0 && <p className={typography.small}>The server has {list.more} more keys.</p>}
      {list.odd > 0 && (
        <p className={typography.small}>
          The list has {list.odd === 1 ? 'a name' : `${list.odd} names`} that Homeport passes on to no
          command. {list.odd === 1 ? 'It stays' : 'They stay'}.
        </p>
      )}
      <div className={layout.stack}>
        <p className={typography.small}>
          {list.hasLists
            ? 'A key that comes off the list stays on the server. There it may push to apps without a list, and run Dokku’s commands. The plugin’s settings on the server may say otherwise, and let one key push everywhere.'
            : 'A key of the server may run Dokku’s commands on every app, too. Homeport takes no key away, because that takes it from every app.'}{' '}
          To take a key from the server, run this there as root:
        </p>
        <CodeLine text="dokku ssh-keys:remove --fingerprint SHA256:…" what="command" />
      </div>
    </>
  );
}

function KeyLabel({ list, of, title }: { list: PushList; of: PushKey; title: string }) {
  const remark = fixedReason(list, of) ?? remarkOf(of);
  return (
    <span className={typography.twoLines}>
      <span className={styles.text}>{title}</span>
      {of.fingerprints.map((fingerprint) => (
        <small key={fingerprint} className={classNames(typography.monospace, styles.text)}>
          {fingerprint}
        </small>
      ))}
      {remark && <small>{remark}</small>}
    </span>
  );
}
