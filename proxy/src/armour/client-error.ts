import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isWrittenWhole } from '../visit.ts';

const answers: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Content Too Large',
};

/** Connections that end after an answer that is under way. */
const ending = new WeakSet<Socket>();

/**
 * Answers what Node's parser refuses, and closes the connection. Answers to whole requests that came before on the same connection
 * go first. The answer to the malformed request itself cannot be taken back once it has begun: then the visitor sees it cut.
 *
 * @param open the answer to the last request that the parser took
 * @param waiting the number of answers that are not over on this connection
 */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  open: ServerResponse | undefined,
  waiting: number,
): void {
  if (ending.has(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (open !== undefined && isWrittenWhole(open)) {
    // The request was refused already: by its head, before the parser came to its body. That answer goes out in its turn.
    ending.add(socket);
    open.end();
    return;
  }
  const status = answers[error.code ?? ''] ?? '400 Bad Request';
  if (open?.req.complete && !open.writableFinished && !open.destroyed) {
    ending.add(socket);
    open.once('finish', () => refuse(socket, status));
    return;
  }
  // The body of the request that is being answered is malformed, or answers to others come first: a 400 would be taken for one of theirs.
  if (waiting > 1 || (open?.headersSent && !open.writableFinished)) socket.destroy();
  else refuse(socket, status);
}

function refuse(socket: Socket, status: string): void {
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nCache-Control: no-store\r\nContent-Length: 0\r\n\r\n`,
  );
  // What the visitor still sends is not read. The connection ends with the answer.
  socket.once('finish', () => socket.destroy());
}
