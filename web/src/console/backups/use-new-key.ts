import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type BackupKey, makeKey } from './make-key.ts';

interface NewKey {
  made: BackupKey | undefined;
  failure: Error | null;
  again: () => void;
}

/** Not a query: those run again each minute and after a lost connection, and the person has kept the private half of this pair. */
export const newKey = { mutationFn: makeKey, gcTime: 0 };

/** The pair for backups, made once for the time that its dialog is open. */
export function useNewKey(): NewKey {
  const { data, error, mutate } = useMutation(newKey);
  useEffect(() => mutate(), [mutate]);
  return { made: data, failure: error, again: () => mutate() };
}
