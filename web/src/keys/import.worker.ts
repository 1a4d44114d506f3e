import { KeyError, type KeyErrorCode } from '@homeport/signer/key-error';
import { type KeyJob, type KeyJobResult, runKeyJob } from './key-jobs.ts';

export type KeyJobReply =
  | { ok: true; result: KeyJobResult }
  | { ok: false; error: { code: KeyErrorCode; message: string; hint: string | undefined } };

/** Takes one job and gives one answer. The page then ends the Worker, which removes every copy of the key. */
self.onmessage = async (event: MessageEvent<KeyJob>) => {
  self.postMessage(await answer(event.data));
};

async function answer(job: KeyJob): Promise<KeyJobReply> {
  try {
    return { ok: true, result: await runKeyJob(job) };
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    const { code, message, hint } = error;
    return { ok: false, error: { code, message, hint } };
  }
}
