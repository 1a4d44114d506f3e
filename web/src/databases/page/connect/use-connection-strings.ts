import type { ConnectionStrings, Database } from '@homeport/contract/databases/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callOnServer } from '../../../connections/call-on-server.ts';
import { NoConnection } from '../../../connections/with-connection.ts';
import { problemText } from '../../../data/problem-text.ts';

/**
 * The connection strings of a database, which are secrets: read from the server when the person asks for one, held by this
 * part of the page only, and forgotten when the page is left or the ports change.
 */
export function useConnectionStrings({ id }: Pick<Database, 'id'>) {
  const client = useQueryClient();
  const [strings, setStrings] = useState<ConnectionStrings | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  /** @throws the failure, which `failure` says too. */
  const read = async (): Promise<ConnectionStrings> => {
    if (strings) return strings;
    setBusy(true);
    setFailure(null);
    try {
      const told = await callOnServer(client, 'GET /api/databases/:id/connection-strings', {
        params: { id },
      });
      setStrings(told);
      return told;
    } catch (error) {
      // The person's own "no" needs no message.
      if (!(error instanceof NoConnection && error.state.code === 'declined')) setFailure(problemText(error));
      throw error;
    } finally {
      setBusy(false);
    }
  };
  return { strings, busy, failure, read };
}
