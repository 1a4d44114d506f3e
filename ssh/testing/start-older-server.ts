import { once } from 'node:events';
import ssh2, {
  type AuthContext,
  type PublicKeyAuthContext,
  type ServerChannel,
  type Connection as ServerConnection,
} from 'ssh2';
import { fingerprintOf } from '../src/index.ts';
import { makeKey } from './test-keys.ts';

export type OlderServerOptions = {
  /** One line of authorized_keys(5). */
  authorizedKey: string;
  /** Called for each client that connects, to attack it. */
  onClient?: (client: ServerConnection, hostKeyBlob: Buffer) => void;
  /** Answers login requests in place of this server. */
  onLogin?: (context: AuthContext, client: ServerConnection) => void;
  /** Answers a command in place of this server when it returns true. */
  onCommand?: (command: string, channel: ServerChannel, client: ServerConnection) => boolean;
};

export type OlderServer = AsyncDisposable & {
  host: string;
  port: number;
  hostKeyFingerprint: string;
  /** The login requests so far: the method, and whether the request was signed. */
  attempts: string[];
};

/**
 * An SSH server that knows no host-bound signatures, like OpenSSH before 8.9. It takes one key by RFC 4252's `publickey` and
 * answers each command by repeating its text.
 */
export async function startOlderServer(options: OlderServerOptions): Promise<OlderServer> {
  const hostKey = makeKey('ed25519');
  const hostKeyBlob = Buffer.from(hostKey.publicKeyLine.split(' ')[1] ?? '', 'base64');
  const allowed = ssh2.utils.parseKey(options.authorizedKey);
  if (allowed instanceof Error) throw allowed;
  const attempts: string[] = [];
  const clients = new Set<ServerConnection>();
  const server = new ssh2.Server({ hostKeys: [hostKey.privateKeyPem] }, (client) => {
    clients.add(client);
    client.on('authentication', (context) => {
      const signed = context.method === 'publickey' && context.signature !== undefined;
      attempts.push(signed ? 'publickey, signed' : context.method);
      if (options.onLogin) options.onLogin(context, client);
      else if (context.method === 'publickey' && fits(context)) context.accept();
      else context.reject(['publickey']);
    });
    client.on('session', (accept) => {
      accept().on('exec', (acceptExec, _reject, { command }) => {
        const channel = acceptExec();
        if (options.onCommand?.(command, channel, client)) return;
        channel.write(command);
        channel.exit(0);
        channel.end();
      });
    });
    client.on('error', () => {});
    client.on('close', () => clients.delete(client));
    options.onClient?.(client, hostKeyBlob);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The server has no port.');

  function fits({ key, signature, blob, hashAlgo }: PublicKeyAuthContext): boolean {
    if (allowed instanceof Error || !allowed.getPublicSSH().equals(key.data)) return false;
    return !signature || (blob !== undefined && allowed.verify(blob, signature, hashAlgo) === true);
  }
  return {
    host: '127.0.0.1',
    port: address.port,
    hostKeyFingerprint: fingerprintOf(hostKeyBlob),
    attempts,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const client of clients) client.end();
      await closed;
    },
  };
}
