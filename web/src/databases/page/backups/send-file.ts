import { problemOf, unreachable } from '../../../data/api-problem.ts';

export interface SendFileOptions {
  signal: AbortSignal;
  /** Bytes that have left this browser. */
  onProgress: (sent: number) => void;
}

/**
 * Sends a file to a route that takes its bytes. Only this kind of request tells how much was sent.
 *
 * @throws ApiProblem for every failure, DOMException `AbortError` when aborted.
 */
export function sendFile(
  { method, url }: { method: string; url: string },
  file: Blob,
  { signal, onProgress }: SendFileOptions,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener('abort', abort, { once: true });
    request.open(method, url);
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    request.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
    request.addEventListener('error', () => reject(unreachable()));
    request.addEventListener('load', () => {
      const answer = new Response(request.responseText, { status: request.status });
      if (answer.ok) resolve(answer.json());
      else problemOf(answer).then(reject, reject);
    });
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
    // The type would otherwise be the file's own.
    request.send(file.slice(0, file.size, 'application/octet-stream'));
  });
}
