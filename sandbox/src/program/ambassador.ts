import { createServer } from 'node:net';

/**
 * Listens on the ports that a service is exposed on, so that they are taken and answer as real ones do. Only on loopback: the
 * sandbox opens nothing to a network. As a database does, it waits for the caller's first word. The sandbox has no databases, so the
 * connection ends then.
 */
export async function leadPorts(ports: readonly number[]): Promise<never> {
  for (const port of ports) {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    console.log(`listening on ${port}`);
  }
  return new Promise<never>(() => undefined);
}
