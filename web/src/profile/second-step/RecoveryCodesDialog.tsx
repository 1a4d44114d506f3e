import { Button } from '../../ui/button/Button.tsx';
import { CopyButton } from '../../ui/button/CodeLine.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import styles from './RecoveryCodesDialog.module.css';

/** Shows new recovery codes once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Recovery codes"
      description="Keep them apart from your phone. Each one signs you in once when the app is not at hand. The console cannot show them again."
      footer={
        <>
          <CopyButton text={codes.join('\n')} what="recovery codes" />
          <Button className={layout.atEnd} variant="primary" onClick={onClose}>
            I have kept them
          </Button>
        </>
      }
    >
      <ul className={classNames(styles.codes, typography.monospace)} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  );
}
