import { KeyError } from '@homeport/signer/key-error';
import type { KeyJobReply } from './import.worker.ts';
import workerUrl from './import.worker.ts?worker&url';
import type { KeyJob, KeyJobResult } from './key-jobs.ts';

interface TrustedTypesFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

let policy: ReturnType<TrustedTypesFactory['createPolicy']> | undefined;

/**
 * Runs one key job in a new Worker and ends the Worker after the answer. Throws KeyError, or Error if the
 * Worker does not load. Clear the form's fields right after this call.
 */
export async function runInWorker(job: KeyJob): Promise<KeyJobResult> {
  const worker = new Worker(trustedUrl(), { type: 'module', name: 'keys' });
  try {
    const reply = await new Promise<KeyJobReply>((resolve, reject) => {
      worker.onmessage = (event: MessageEvent<KeyJobReply>) => resolve(event.data);
      worker.onerror = () =>
        reject(new Error('The part of the page that reads keys could not be loaded. Reload the page.'));
      worker.postMessage(job);
    });
    if (reply.ok) return reply.result;
    throw new KeyError(reply.error.code, reply.error.message, reply.error.hint);
  } finally {
    worker.terminate();
  }
}

/** The page requires Trusted Types for script addresses. This policy allows one address only. */
function trustedUrl(): string {
  const factory = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes;
  if (!factory) return workerUrl;
  policy ??= factory.createPolicy('homeport-key-worker', { createScriptURL: () => workerUrl });
  return policy.createScriptURL(workerUrl);
}
