import { TextField, type TextFieldProps } from '../ui/form/Field.tsx';

/** The address that an account goes by, as password managers know it. */
export function EmailField(props: Pick<TextFieldProps, 'defaultValue' | 'autoFocus' | 'readOnly'>) {
  return <TextField label="E-mail" name="email" type="email" autoComplete="username" required {...props} />;
}
