import { connect, createServer, type Socket } from 'node:net';

/**
 * Listens on the ports that a service is exposed on, so that they are taken and answer as real ones do. Only on loopback: the
 * sandbox opens nothing to a network. `26379=127.80.1.2:6379` leads a port to the service's server. A port without a target stands
 * for a service without a server: as a database does, it waits for the caller's first word, and then ends the connection.
 */
export async function leadPorts(words: readonly string[]): Promise<never> {
  for (const word of words) {
    const [port, target] = word.split('=');
    const server = createServer((socket) => {
      socket.on('error', () => {});
      if (target === undefined) socket.once('data', () => socket.destroy());
      else leadTo(socket, target);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(Number(port), '127.0.0.1', resolve);
    });
    console.log(`listening on ${port}`);
  }
  return new Promise<never>(() => undefined);
}

function leadTo(socket: Socket, target: string): void {
  const [host = '', port = ''] = target.split(':');
  const inner = connect(Number(port), host);
  inner.on('error', () => socket.destroy());
  socket.on('close', () => inner.destroy());
  inner.on('close', () => socket.destroy());
  socket.pipe(inner).pipe(socket);
}
