import ssh2 from 'ssh2';
import { Connection, type ConnectionLife } from '../connection.ts';
import { OpeningError } from '../failures.ts';
import { loginShellAt } from '../running/launcher.ts';
import { agentLogin } from './agent-login.ts';
import type { Credential } from './credential.ts';
import { dial, type Target } from './dial.ts';
import { explainFailure, type HandshakeFacts } from './explain-failure.ts';
import { handshake, type RunningHandshake } from './handshake.ts';
import { fingerprintOf, keyTypeOf } from './host-key.ts';
import { passwordLogin } from './password-login.ts';
import { defaultTimeouts, type Timeouts } from './timeouts.ts';

export type OpenOptions = Target & {
  username: string;
  /** `SHA256:…` of the host key that was accepted for this server. */
  pinnedHostKey: string;
  /** The accepted key's type, so that a server with several shows this one. */
  hostKeyType?: string;
  credential: Credential;
  /**
   * The person agreed to a signature that is not bound to this server's host key. Used only where the server takes no
   * other; without it such a server is refused before anything is signed.
   */
  plainAllowed?: boolean;
  /** Gives the opening up; a reason that is an `OpeningError` is what the promise rejects with. */
  signal?: AbortSignal;
  timeouts?: Partial<Timeouts>;
  life?: ConnectionLife;
};

/** Logs in on a server whose host key is known. Rejects with an `OpeningError` and leaves nothing behind. */
export async function openConnection(options: OpenOptions): Promise<Connection> {
  const { username, credential, pinnedHostKey: pinned } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const keyType = checkedKeyType(credential);
  const login = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, login.signal]) : login.signal;
  const facts: HandshakeFacts = {
    username,
    method: credential.method,
    ...(keyType && { keyType }),
    pinned,
    presented: null,
    methodsLeft: null,
  };
  const onRefused = (methodsLeft: string[]) => {
    facts.methodsLeft = methodsLeft;
  };
  const authenticate = (running: RunningHandshake) =>
    credential.method === 'agent'
      ? agentLogin(
          {
            username,
            signer: credential.signer,
            pinned,
            plainAllowed: options.plainAllowed ?? false,
            signTimeoutMs: timeouts.sign,
            signal,
            onRefused,
          },
          running,
        )
      : passwordLogin(
          { username, prompter: credential.prompter, promptTimeoutMs: timeouts.prompt, signal, onRefused },
          running,
        );

  let hostKeyType = 'unknown';
  try {
    const socket = await dial({ host: options.host, port: options.port }, timeouts.tcp, signal);
    const client = await handshake({
      socket,
      username,
      ...(options.hostKeyType && { hostKeyType: options.hostKeyType }),
      readyTimeoutMs: credential.method === 'agent' ? timeouts.ready : timeouts.readyWithPrompt,
      timeouts,
      signal,
      acceptsHostKey: (hostKey) => {
        facts.presented = fingerprintOf(hostKey);
        hostKeyType = keyTypeOf(hostKey);
        return facts.presented === pinned;
      },
      authenticate,
      explain: (error) => explainFailure(error, facts),
    });
    const { host, port } = options;
    const method = credential.method;
    const connection = new Connection(
      client,
      { host, port, username, method, hostKeyFingerprint: pinned, hostKeyType },
      options.life,
    );
    const { bootId, loginShell } = await readServerFacts(connection);
    connection.bootId = bootId;
    connection.loginShell = loginShell;
    return connection;
  } finally {
    // Whoever is still being asked need not answer any more.
    login.abort();
  }
}

/** Refuses, before anything is sent, what is no public key that ssh2 can offer. */
function checkedKeyType(credential: Credential): string | undefined {
  if (credential.method === 'password') return undefined;
  const blob = credential.signer.publicKeyBlob;
  const parsed = ssh2.utils.parseKey(blob);
  if (parsed instanceof Error) {
    const message = `Homeport cannot use this kind of key: ${parsed.message}.`;
    throw new OpeningError({ code: 'algorithm_refused', message }, parsed);
  }
  return keyTypeOf(blob);
}

/**
 * random(4): the boot id stays for as long as the kernel runs, so another one at the next connection means a reboot.
 * environ(7): SHELL is the account's login shell.
 */
const serverFacts = `cat /proc/sys/kernel/random/boot_id && printf '%s\\n' "$SHELL"`;

async function readServerFacts(connection: Connection): Promise<Pick<Connection, 'bootId' | 'loginShell'>> {
  const limits = { deadlineMs: 10_000, maxOutputBytes: 1_024 };
  // An account that may run only one command cannot be asked; the connection serves all the same.
  const answer = await connection.runProgram({ script: serverFacts, ...limits }).catch(() => null);
  const [, bootId = null, shell = ''] = /^([\da-f-]{36})\n(.*)\n$/.exec(answer?.stdout ?? '') ?? [];
  return { bootId, loginShell: loginShellAt(shell) };
}
