import { type ChildProcess, spawn } from 'node:child_process';
import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { type HostBoundLogins, takeHostBound } from '@homeport/ssh';
import ssh2, {
  type AuthContext,
  type Connection as Client,
  type ParsedKey,
  type PublicKeyAuthContext,
  type ServerChannel,
} from 'ssh2';
import { type ForcedLogin, readLogins } from './authorized-keys.ts';
import { endFamily } from './end-family.ts';
import type { SshHost, SshHostOptions } from './ssh-host.ts';

/**
 * An SSH server within this process, for machines without an sshd that this user can run. Takes public keys and commands only, and
 * signatures that name its host key.
 */
export async function startInProcessHost(options: SshHostOptions): Promise<SshHost> {
  const hostKey = await readFile(options.hostKeyFile);
  const hostKeyBlob = blobOf(await readFile(`${options.hostKeyFile}.pub`, 'utf8'));
  const clients = new Set<Client>();
  const children = new Set<ChildProcess>();
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    clients.add(client);
    const logins = takeHostBound(client, hostKeyBlob);
    let login: ForcedLogin | undefined;
    client.on('authentication', (context) => {
      authenticate(context, options.authorizedKeysFiles, logins).then(
        (found) => {
          login = found ?? login;
        },
        () => context.reject(['publickey']),
      );
    });
    client.on('session', (accept) => {
      const session = accept();
      const run = (channel: ServerChannel, command: string | undefined) => {
        if (!login) return client.end();
        children.add(runLogin(channel, login.command, command, options.env));
      };
      session.on('exec', (acceptExec, _reject, { command }) => run(acceptExec(), command));
      session.on('shell', (acceptShell) => run(acceptShell(), undefined));
    });
    client.on('error', () => {});
    client.on('close', () => clients.delete(client));
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: options.port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const client of clients) client.end();
      await Promise.all([...children].map(endFamily));
      await closed;
    },
  };
}

/** The key in a line of a `.pub` file. */
const blobOf = (line: string) => Buffer.from(line.split(' ')[1] ?? '', 'base64');

/** Answers the client's login requests. Resolves with the key's login after a valid signature. */
async function authenticate(
  context: AuthContext,
  files: readonly string[],
  bound: HostBoundLogins,
): Promise<ForcedLogin | undefined> {
  if (context.method !== 'publickey' || context.username !== userInfo().username) {
    context.reject(['publickey']);
    return undefined;
  }
  const blob = context.key.data;
  const logins = await readLogins(files);
  const login = logins.find(
    ({ publicKeyBlob }) => publicKeyBlob.length === blob.length && timingSafeEqual(publicKeyBlob, blob),
  );
  if (!login) {
    context.reject(['publickey']);
    return undefined;
  }
  // Without a signature the client only asks whether the server would take the key (RFC 4252, 7).
  if (context.signature && !isSigned(context, blob, bound)) {
    context.reject(['publickey']);
    return undefined;
  }
  context.accept();
  return context.signature ? login : undefined;
}

function isSigned(context: PublicKeyAuthContext, publicKeyBlob: Buffer, bound: HostBoundLogins): boolean {
  const { signature, hashAlgo } = context;
  const signed = bound.signedBytes(context);
  const parsed = ssh2.utils.parseKey(publicKeyBlob) as ParsedKey | Error;
  if (parsed instanceof Error || !signed || !signature) return false;
  return parsed.verify(signed, signature, hashAlgo) === true;
}

/** Runs a forced command like sshd: by the shell, with the client's command in SSH_ORIGINAL_COMMAND (sshd(8)). */
function runLogin(
  channel: ServerChannel,
  program: string,
  asked: string | undefined,
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const { username, homedir, shell } = userInfo();
  const child = spawn('/bin/sh', ['-c', program], {
    cwd: homedir,
    detached: true,
    env: {
      USER: username,
      LOGNAME: username,
      HOME: homedir,
      SHELL: shell ?? '/bin/sh',
      ...env,
      ...(asked === undefined ? {} : { SSH_ORIGINAL_COMMAND: asked }),
    },
  });
  // A program may end before it has read its whole input.
  child.stdin.on('error', () => {});
  channel.on('error', () => {});
  channel.pipe(child.stdin);
  child.stdout.pipe(channel, { end: false });
  child.stderr.pipe(channel.stderr, { end: false });
  channel.once('close', () => void endFamily(child));
  child.once('error', () => channel.close());
  child.once('close', (code, signal) => {
    if (signal) channel.exit(signal.replace('SIG', ''), false, '');
    else channel.exit(code ?? 1);
    channel.end();
  });
  return child;
}
