import ssh2, {
  type AuthHandlerMiddleware,
  type NextAuthHandler,
  type SignCallback,
  type SigningRequestOptions,
} from 'ssh2';
import { OpeningError } from '../failures.ts';
import type { Signer } from './credential.ts';
import type { RunningHandshake } from './handshake.ts';
import { fingerprintOf } from './host-key.ts';
import { type SignatureForm, signForHost } from './sign-for-host.ts';
import { isSignatureShaped } from './signature-shape.ts';
import { within } from './timeouts.ts';
import { isSignatureOf } from './verify-signature.ts';

export type AgentLogin = {
  username: string;
  signer: Signer;
  pinned: string;
  /** The person allowed a signature that is not bound to this server. Used only where the server takes no bound one. */
  plainAllowed: boolean;
  signTimeoutMs: number;
  signal: AbortSignal;
  onRefused(methodsLeft: string[]): void;
};

/**
 * Offers exactly one key, once: each further offer costs a round trip and counts against the server's MaxAuthTries.
 * After a refusal the login sends `none`, to learn the methods left: ssh2 does not report them for agents.
 */
export function agentLogin(login: AgentLogin, handshake: RunningHandshake): AuthHandlerMiddleware {
  const { username } = login;
  const steps = [
    (next: NextAuthHandler) => {
      const form = signatureForm(login, handshake);
      if (form instanceof OpeningError) return handshake.fail(form);
      signForHost(handshake.protocol(), login.signer.publicKeyBlob, form);
      next({ type: 'agent', username, agent: new RemoteAgent(login, handshake) });
    },
    (next: NextAuthHandler) => next({ type: 'none', username }),
  ];
  let begun = false;
  return (methodsLeft, _partial, next) => {
    if (begun) login.onRefused(methodsLeft ?? []);
    begun = true;
    const step = steps.shift();
    if (step) step(next);
    // ssh2 reads `false` as "no more methods"; its types do not know that.
    else next(false as never);
  };
}

/**
 * A server that takes host-bound signatures says so before the login begins, inside the encrypted connection (RFC 8308). So the
 * login needs no trial, and no attempt counts against MaxAuthTries.
 */
function signatureForm(login: AgentLogin, handshake: RunningHandshake): SignatureForm | OpeningError {
  if (handshake.takesHostBound()) {
    const proof = handshake.kexReply();
    return proof ? { kind: 'hostBound', hostKey: proof.hostKey } : unproven();
  }
  if (login.plainAllowed) return { kind: 'plain' };
  const message =
    'This SSH server is older than OpenSSH 8.9, or it is another product, so a signature cannot be bound to it. Nothing was signed.';
  return new OpeningError({ code: 'host_bound_unsupported', message });
}

class RemoteAgent extends ssh2.BaseAgent<Buffer> {
  readonly #login: AgentLogin;
  readonly #handshake: RunningHandshake;

  constructor(login: AgentLogin, handshake: RunningHandshake) {
    super();
    this.#login = login;
    this.#handshake = handshake;
  }

  override getIdentities(callback: (error: Error | null, keys: Buffer[]) => void): void {
    callback(null, [this.#login.signer.publicKeyBlob]);
  }

  /** Ignores `options.hash`: the signer obeys the algorithm that the signed bytes name. */
  override sign(
    _key: Buffer,
    data: Buffer,
    options: SigningRequestOptions | SignCallback,
    callback?: SignCallback,
  ): void {
    const answer = typeof options === 'function' ? options : callback;
    if (!answer) return;
    this.#askSigner(data).then(
      (signature) => {
        try {
          answer(null, signature);
        } catch (error) {
          this.#handshake.fail(malformed(error));
        }
      },
      (error: unknown) => this.#handshake.fail(refusal(error)),
    );
  }

  async #askSigner(data: Buffer): Promise<Buffer> {
    const { signer, pinned, signTimeoutMs, signal } = this.#login;
    const proof = this.#handshake.kexReply();
    if (!proof || fingerprintOf(proof.hostKey) !== pinned) throw unproven();
    const request = { data, hostKey: proof.hostKey, kexSignature: proof.signature };
    const late = () =>
      new OpeningError({ code: 'agent_timeout', message: `No signature came within ${signTimeoutMs} ms.` });
    const signature = await within(signTimeoutMs, signal, (stopped) => signer.sign(request, stopped), late);
    if (!isSignatureShaped(signature, signer.publicKeyBlob)) throw malformed();
    if (!isSignatureOf(signature, data, signer.publicKeyBlob)) throw wrong();
    return signature;
  }
}

function unproven(): OpeningError {
  const message = 'The server’s proof of its host key could not be read.';
  return new OpeningError({ code: 'host_key_unproven', message });
}

function malformed(cause?: unknown): OpeningError {
  return new OpeningError(
    { code: 'agent_refused', message: 'The signature does not have the form of this key’s signatures.' },
    cause,
  );
}

function wrong(): OpeningError {
  const message = 'The signature is not of this key, so the server was not asked.';
  return new OpeningError({ code: 'agent_refused', message });
}

function refusal(error: unknown): OpeningError {
  if (error instanceof OpeningError) return error;
  return new OpeningError({ code: 'agent_refused', message: 'The key was not used.' }, error);
}
