import type { Server } from '@homeport/contract/servers/schema';
import { type Bytes, utf8 } from '@homeport/signer/bytes';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { topicKey } from '../../data/query-keys.ts';
import { type AddServerForm, type AddServerValues, addServerForm, emptyForm } from './add-server-form.ts';
import { sendServer } from './send-server.ts';

export interface AddServer {
  form: UseFormReturn<AddServerForm, unknown, AddServerValues>;
  /** Not part of the form’s values, because the page reads the password at submit and keeps it nowhere. */
  password: RefObject<HTMLInputElement | null>;
  passwordError: string | null;
  forgetPasswordError: () => void;
  /** Shown after the page filled in a subdomain. */
  notice: string | null;
  forgetNotice: () => void;
  submit: (event: FormEvent) => Promise<void>;
}

const picked = 'A subdomain was picked for you. Check it, then press Add server again.';

export function useAddServer(onAdded: (server: Server, password: Bytes | undefined) => void): AddServer {
  const client = useQueryClient();
  const password = useRef<HTMLInputElement>(null);
  const [passwordError, setPasswordError] = useState<string | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const [next, setNext] = useState<keyof AddServerForm | null>(null);
  const form = useForm<AddServerForm, unknown, AddServerValues>({
    resolver: zodResolver(addServerForm),
    defaultValues: emptyForm,
    mode: 'onTouched',
  });
  const { setError, setValue, setFocus } = form;
  const { isSubmitting } = form.formState;

  // No field in an inert form takes focus, and the form is inert during a submit.
  useEffect(() => {
    if (isSubmitting || next === null) return;
    setFocus(next);
    setNext(null);
  }, [isSubmitting, next, setFocus]);

  const submit = form.handleSubmit(async (values) => {
    setNotice(null);
    const typed = values.credential === 'password' ? (password.current?.value ?? '') : null;
    if (typed === '') {
      setPasswordError('Enter the password.');
      return password.current?.focus();
    }
    const sent = await sendServer(values);
    switch (sent.kind) {
      case 'suggested':
        setValue('subdomain', sent.subdomain, { shouldDirty: true });
        setNotice(picked);
        return setNext('subdomain');
      case 'added':
        if (password.current) password.current.value = '';
        await client.invalidateQueries({ queryKey: topicKey('servers') });
        return onAdded(sent.server, typed === null ? undefined : utf8(typed));
      case 'refused':
        for (const [name, message] of sent.fields) {
          setError(name, { message });
          setNext(name);
        }
        return;
      case 'failed':
        return setError('root', { message: sent.message });
    }
  });
  return {
    form,
    password,
    passwordError,
    forgetPasswordError: () => setPasswordError(null),
    notice,
    forgetNotice: () => setNotice(null),
    submit,
  };
}
