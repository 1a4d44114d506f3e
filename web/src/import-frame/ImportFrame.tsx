import { type FormEvent, type ReactNode, useId } from 'react';
import { Button } from '../ui/button/Button.tsx';
import { Dialog } from '../ui/dialog/Dialog.tsx';
import layout from '../ui/layout/layout.module.css';

interface Props {
  title: string;
  description: string;
  /** What one of the things is called: "Import 2 apps" is the button's label for two chosen apps. */
  noun: string;
  chosenCount: number;
  /** Without anything to import there is no button for it, and the other one says "Close". */
  anyFound: boolean;
  importing: boolean;
  onImport: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The dialog that imports something from a server, around the list to choose from. */
export function ImportFrame({
  noun,
  chosenCount,
  anyFound,
  importing,
  onImport,
  children,
  ...dialog
}: Props) {
  const formId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onImport();
  };
  return (
    <Dialog
      open
      {...dialog}
      footer={
        <>
          <Button className={layout.atEnd} onClick={dialog.onClose}>
            {anyFound ? 'Cancel' : 'Close'}
          </Button>
          {anyFound && (
            <Button type="submit" form={formId} variant="primary" busy={importing} busyLabel="Importing">
              {importLabel(chosenCount, noun)}
            </Button>
          )}
        </>
      }
    >
      <form id={formId} className={layout.stack} noValidate inert={importing} onSubmit={submit}>
        {children}
      </form>
    </Dialog>
  );
}

const importLabel = (count: number, noun: string) =>
  count === 0 ? 'Import' : `Import ${count} ${noun}${count === 1 ? '' : 's'}`;
