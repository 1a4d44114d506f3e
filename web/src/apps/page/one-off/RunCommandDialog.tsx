import { refusalOfWords } from '@homeport/contract/apps/one-off/facts';
import type { App } from '@homeport/contract/apps/schema';
import { type FormEvent, useId, useState } from 'react';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../../ui/dialog/SubmitButtons.tsx';
import { Checkbox } from '../../../ui/form/Choice.tsx';
import { TextField } from '../../../ui/form/Field.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import styles from './RunCommandDialog.module.css';
import { splitWords } from './split-words.ts';

interface RunCommandDialogProps {
  app: Pick<App, 'id' | 'name'>;
  onClose: () => void;
}

/** A command of some words, which runs once in a new container of the app. */
export function RunCommandDialog({ app, onClose }: RunCommandDialogProps) {
  const formId = useId();
  const [line, setLine] = useState('');
  const [background, setBackground] = useState(false);
  const start = useAct('POST /api/apps/:id/commands', {
    onDone: ({ id }) => {
      onClose();
      openOperation(id);
    },
  });
  const { words, open, shellSign } = splitWords(line);
  const isEmpty = words.length === 0;
  const refusal = open ? 'A quote is not closed.' : refusalOfWords(words);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (refusal === null) start.mutate({ params: { id: app.id }, body: { words, background } });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      dirty={!isEmpty && !start.isPending}
      title={`Run a command in ${app.name}`}
      description="It runs once, in a new container with the app’s image, variables and storage. The app’s own containers are not touched."
      footer={
        <SubmitButtons
          form={formId}
          onCancel={onClose}
          disabled={refusal !== null}
          busy={start.isPending}
          busyLabel="Starting"
        >
          Run
        </SubmitButtons>
      }
    >
      <form id={formId} className={layout.stack} noValidate inert={start.isPending} onSubmit={submit}>
        {start.error && <ProblemBanner error={start.error} />}
        <TextField
          label="Command"
          mono
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="rails db:migrate"
          help={
            shellSign === null
              ? 'Put a word with a space in quotes.'
              : `No shell reads the words, so ${shellSign} stays as it is. For a shell, write sh -c '…'.`
          }
          error={isEmpty ? null : refusal}
          value={line}
          onChange={(event) => setLine(event.currentTarget.value)}
        />
        {!isEmpty && (
          <ul className={styles.words} aria-label="Words of the command">
            {words.map((word, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place
              <li key={at}>{word === '' ? 'empty' : word}</li>
            ))}
          </ul>
        )}
        <Checkbox
          label="In the background: it goes on without a connection, for a day at most, and its exit code is not kept"
          checked={background}
          onChange={(event) => setBackground(event.currentTarget.checked)}
        />
        <p className={typography.small}>
          {background ? '' : 'It ends after an hour at the latest. '}It may take as much memory as the server
          has. Words are shown in the server’s process list and kept in the log of this work: put secrets into
          the app’s variables.
        </p>
      </form>
    </Dialog>
  );
}
