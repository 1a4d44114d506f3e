import type { Database } from '@homeport/contract/databases/schema';
import { useEffect, useRef, useState } from 'react';
import { problemText } from '../../../data/problem-text.ts';
import { routeUrl } from '../../../data/route-url.ts';
import { toast } from '../../../ui/feedback/toasts.ts';
import { uploadRefusal } from './dump-texts.ts';
import { sendFile } from './send-file.ts';

export type UploadState =
  | { kind: 'none' }
  | { kind: 'sending'; name: string; sent: number; total: number }
  | { kind: 'failed'; name: string; reason: string };

/** Sends a file as a dump of the database. A page that is left cancels it, and the server keeps nothing of it. */
export function useUpload({ id }: Pick<Database, 'id'>, freeBytes: number | null, onDone: () => void) {
  const [state, setState] = useState<UploadState>({ kind: 'none' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const send = async (file: File) => {
    const { name, size } = file;
    const refusal = uploadRefusal(size, freeBytes);
    if (refusal !== null) return setState({ kind: 'failed', name, reason: refusal });
    const stop = new AbortController();
    running.current = stop;
    setState({ kind: 'sending', name, sent: 0, total: size });
    const params = { id, dump: crypto.randomUUID() };
    try {
      await sendFile(routeUrl('PUT /api/databases/:id/dumps/:dump', { params }), file, {
        signal: stop.signal,
        onProgress: (sent) => setState({ kind: 'sending', name, sent: Math.min(sent, size), total: size }),
      });
      setState({ kind: 'none' });
      toast.ok(`${name} is uploaded`);
      onDone();
    } catch (error) {
      const cancelled = stop.signal.aborted;
      setState(cancelled ? { kind: 'none' } : { kind: 'failed', name, reason: problemText(error) });
    } finally {
      running.current = null;
    }
  };
  return {
    state,
    send: (file: File) => void send(file),
    cancel: () => running.current?.abort(),
    dismiss: () => setState({ kind: 'none' }),
  };
}
