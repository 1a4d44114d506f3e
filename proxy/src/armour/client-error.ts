import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const answers: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Content Too Large',
};

/**
 * Answers what Node's parser refuses, and closes the connection. An answer that has begun cannot be taken back: then the visitor
 * sees it cut.
 */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  open: ServerResponse | undefined,
): void {
  const status = answers[error.code ?? ''] ?? '400 Bad Request';
  if (open?.headersSent || !socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nCache-Control: no-store\r\nContent-Length: 0\r\n\r\n`,
  );
  // What the visitor still sends is not read. The connection ends with the answer.
  socket.once('finish', () => socket.destroy());
}
