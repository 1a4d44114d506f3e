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
import type { PacketPace } from './packet-pace.ts';
import { passwordLogin } from './password-login.ts';
import { defaultTimeouts, type Timeouts } from './timeouts.ts';

export type OpenOptions = Target & {
  username: string;
  /** The fingerprint (`SHA256:…`) of the host key that the person accepted for this server. */
  pinnedHostKey: string;
  /** The accepted key's type, so that a server with several host keys shows this one. */
  hostKeyType?: string;
  credential: Credential;
  /**
   * The person agreed to a signature that is not bound to this server's host key. Used only where the server takes no bound
   * one. Without the agreement such a server is refused before anything is signed.
   */
  plainAllowed?: boolean;
  /** Aborts the opening. The promise rejects with the signal's reason if that is an `OpeningError`. */
  signal?: AbortSignal;
  timeouts?: Partial<Timeouts>;
  life?: ConnectionLife;
  /** The pace of this connection's packets together with others. Default: the connection has one for itself. */
  pace?: PacketPace;
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
  let hostKeyBlob = '';
  // Until the socket holds the pace itself.
  const free = options.pace?.hold();
  try {
    const dialled = await dial(options, timeouts.tcp, signal);
    const client = await handshake({
      dialled,
      username,
      ...(options.hostKeyType && { hostKeyType: options.hostKeyType }),
      readyTimeoutMs: credential.method === 'agent' ? timeouts.ready : timeouts.readyWithPrompt,
      timeouts,
      ...(options.pace && { pace: options.pace }),
      signal,
      acceptsHostKey: (hostKey) => {
        facts.presented = fingerprintOf(hostKey);
        hostKeyType = keyTypeOf(hostKey);
        hostKeyBlob = hostKey.toString('base64');
        return facts.presented === pinned;
      },
      authenticate,
      explain: (error) => explainFailure(error, facts),
    });
    const { host, port } = options;
    const method = credential.method;
    const connection = new Connection(
      client,
      { host, port, username, method, hostKeyFingerprint: pinned, hostKeyType, hostKeyBlob },
      options.life,
    );
    const { bootId, loginShell } = await readServerFacts(connection);
    connection.bootId = bootId;
    connection.loginShell = loginShell;
    return connection;
  } finally {
    free?.();
    // Withdraws an open question to the signer or the person.
    login.abort();
  }
}

/** Refuses a key that ssh2 cannot offer, before anything is sent. */
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
 * random(4): the boot id stays the same while the kernel runs, so another id at the next connection means a reboot.
 * environ(7): SHELL is the account's login shell.
 */
const serverFacts = `cat /proc/sys/kernel/random/boot_id && printf '%s\\n' "$SHELL"`;

async function readServerFacts(connection: Connection): Promise<Pick<Connection, 'bootId' | 'loginShell'>> {
  const limits = { deadlineMs: 10_000, maxOutputBytes: 1_024 };
  // An account with a forced command cannot answer. The connection works without these facts.
  const answer = await connection.runProgram({ script: serverFacts, ...limits }).catch(() => null);
  const [, bootId = null, shell = ''] = /^([\da-f-]{36})\n(.*)\n$/.exec(answer?.stdout ?? '') ?? [];
  return { bootId, loginShell: loginShellAt(shell) };
}
