import { useEffect, useReducer, useRef, useState } from 'react';
import { openStream } from '../../../data/open-stream.ts';
import { asking, offerAfter } from './import-offer.ts';

/** Looks at the server’s apps without a record for as long as the dialog is open. */
export function useImportOffer(serverId: string) {
  const [offer, tell] = useReducer(offerAfter, asking);
  const [round, setRound] = useState(0);
  const last = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round looks again
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    const look = async () => {
      const asked = { params: { id: serverId }, query: {} };
      const events = await openStream('GET /api/servers/:id/import', asked, { after: last.current, signal });
      for await (const { id, data } of events) {
        if (signal.aborted) return;
        last.current = id ?? last.current;
        tell(data);
      }
    };
    look().then(
      () => signal.aborted || tell({ type: 'ended', error: null }),
      (error: Error) => signal.aborted || tell({ type: 'ended', error }),
    );
    return () => left.abort();
  }, [serverId, round]);
  const lookAgain = () => {
    tell({ type: 'again' });
    setRound((before) => before + 1);
  };
  return { offer, lookAgain };
}
