import { Button, type ButtonProps } from '../button/Button.tsx';
import layout from '../layout/layout.module.css';

export interface SubmitButtonsProps
  extends Pick<ButtonProps, 'busy' | 'busyLabel' | 'children' | 'disabled' | 'variant'> {
  /** The id of the dialog's form. */
  form: string;
  onCancel: () => void;
}

/** The footer of a dialog with one form: Cancel, then the button that sends the form. */
export function SubmitButtons({ form, onCancel, variant = 'primary', ...send }: SubmitButtonsProps) {
  return (
    <>
      <Button className={layout.atEnd} onClick={onCancel}>
        Cancel
      </Button>
      <Button {...send} type="submit" form={form} variant={variant} />
    </>
  );
}
