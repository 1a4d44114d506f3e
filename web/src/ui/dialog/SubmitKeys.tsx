import { classNames } from '../class-names.ts';
import { Kbd } from '../feedback/Status.tsx';
import layout from '../layout/layout.module.css';
import typography from '../text/typography.module.css';

/** Stands first in the footer of a dialog with a long form: which keys send the form from any field. */
export function SubmitKeys() {
  return (
    <span className={classNames(typography.extraSmall, typography.muted, layout.notOnPhone)}>
      <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> saves
    </span>
  );
}
