import { spawn } from 'node:child_process';
import { once } from 'node:events';
import ssh2, { type AuthContext, type ServerChannel, type Connection as ServerConnection } from 'ssh2';
import { fingerprintOf } from '../src/index.ts';
import { makeKey } from './test-keys.ts';

export type PasswordServerOptions = {
  username: string;
  password: string;
  /** The methods that the server takes. It answers any other method with this list. */
  methods?: readonly ('password' | 'keyboard-interactive')[];
  /** Runs commands by this machine's sh. Otherwise the server answers a command by repeating its text. */
  runsCommands?: boolean;
};

export type PasswordServer = AsyncDisposable & {
  host: string;
  port: number;
  hostKeyFingerprint: string;
  /** The methods that clients tried, in order. */
  attempts: string[];
  dispose(): Promise<void>;
};

/** An SSH server within this process for password logins. A real sshd allows them to accounts of the machine only. */
export async function startPasswordServer(options: PasswordServerOptions): Promise<PasswordServer> {
  const methods = [...(options.methods ?? ['password'])];
  const hostKey = makeKey('ed25519');
  const attempts: string[] = [];
  const clients = new Set<ServerConnection>();
  const server = new ssh2.Server({ hostKeys: [hostKey.privateKeyPem] }, (client) => {
    clients.add(client);
    client.on('authentication', (context) => {
      attempts.push(context.method);
      authenticate(context, options, methods);
    });
    client.on('session', (accept) => {
      accept().on('exec', (acceptExec, _reject, { command }) => {
        const channel = acceptExec();
        if (options.runsCommands) return run(channel, command);
        channel.write(command);
        channel.exit(0);
        channel.end();
      });
    });
    client.on('error', () => {});
    client.on('close', () => clients.delete(client));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const dispose = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const client of clients) client.end();
    await closed;
  };
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The server has no port.');
  const publicKey = hostKey.publicKeyLine.split(' ')[1] ?? '';
  return {
    host: '127.0.0.1',
    port: address.port,
    hostKeyFingerprint: fingerprintOf(Buffer.from(publicKey, 'base64')),
    attempts,
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

function run(channel: ServerChannel, command: string): void {
  const child = spawn('/bin/sh', ['-c', command]);
  channel.pipe(child.stdin);
  child.stdout.pipe(channel, { end: false });
  child.stderr.pipe(channel.stderr, { end: false });
  child.on('close', (code) => {
    channel.exit(code ?? 1);
    channel.end();
  });
}

function authenticate(
  context: AuthContext,
  { username, password }: PasswordServerOptions,
  methods: ('password' | 'keyboard-interactive')[],
): void {
  const known = context.username === username;
  if (
    context.method === 'password' &&
    methods.includes('password') &&
    known &&
    context.password === password
  ) {
    context.accept();
    return;
  }
  if (context.method === 'keyboard-interactive' && methods.includes('keyboard-interactive') && known) {
    context.prompt([{ prompt: 'Password: ', echo: false }], (answers) => {
      if (answers[0] === password) context.accept();
      else context.reject(methods);
    });
    return;
  }
  context.reject(methods);
}
