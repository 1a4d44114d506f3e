import { TextField, type TextFieldProps } from '../ui/form/Field.tsx';

/** The account's email address, marked so that password managers recognise it. */
export function EmailField(props: Pick<TextFieldProps, 'defaultValue' | 'autoFocus' | 'readOnly'>) {
  return <TextField label="E-mail" name="email" type="email" autoComplete="username" required {...props} />;
}
