import { OpeningError, type OpeningFailure } from '../failures.ts';

/** The facts at hand when ssh2 reports an error. They suffice to name the cause and the remedy. */
export type HandshakeFacts = {
  username: string;
  method: 'agent' | 'password' | 'probe';
  keyType?: string;
  pinned: string | null;
  /** The SHA256 fingerprint of the host key that the server showed. */
  presented: string | null;
  /** Null until the server refused a first attempt. Empty when the server named no method. */
  methodsLeft: string[] | null;
};

/** ssh2 names the phase in `level`. Its messages are for developers, so each phase gets a message of ours. */
export function explainFailure(error: Error & { level?: string }, facts: HandshakeFacts): OpeningError {
  if (error instanceof OpeningError) return error;
  return new OpeningError(failureOf(error, facts), error);
}

function failureOf(error: Error & { level?: string }, facts: HandshakeFacts): OpeningFailure {
  switch (error.level) {
    case 'client-timeout':
      return { code: 'timeout', message: 'The server did not complete the SSH handshake in time.' };
    case 'handshake':
      return duringHandshake(error.message, facts);
    case 'client-authentication':
      return refusedLogin(facts);
    default:
      if (facts.methodsLeft) return refusedLogin(facts);
      return { code: 'unreachable', message: `The SSH handshake broke off: ${error.message}.` };
  }
}

function duringHandshake(message: string, facts: HandshakeFacts): OpeningFailure {
  const { pinned, presented } = facts;
  if (message.includes('no matching')) {
    return { code: 'algorithm_refused', message: nothingShared(message) };
  }
  if (pinned && presented && pinned !== presented) {
    return {
      code: 'host_key_changed',
      message: `The server shows another host key (${presented}) than the one accepted before (${pinned}).`,
      fingerprints: { pinned, presented },
    };
  }
  if (message.includes('signature') || message.includes('Malformed')) {
    return { code: 'host_key_unproven', message: 'The server could not prove that it holds its host key.' };
  }
  return { code: 'unreachable', message: `The SSH handshake failed: ${message}.` };
}

/** One sentence says what the server lacks, one says what to change there (sshd_config(5)). */
function nothingShared(message: string): string {
  const lack = lacks.find(([words]) => message.includes(words));
  if (!lack) return `The server and Homeport share no algorithm (${message}).`;
  const [, offers, remedy] = lack;
  return `The server offers ${offers} ${remedy}`;
}

const lacks = [
  [
    'key exchange',
    'no key exchange that Homeport takes: Curve25519, ECDH on a NIST curve, or Diffie-Hellman group 14 or 16 with SHA-2.',
    'Update its OpenSSH, or add one of these to KexAlgorithms in its sshd_config.',
  ],
  [
    'host key',
    'no host key that Homeport takes: Ed25519, ECDSA, or RSA with SHA-2.',
    'Make such a key on the server with: ssh-keygen -A',
  ],
  [
    'cipher',
    'no cipher that Homeport takes: AES-GCM, AES-CTR or ChaCha20-Poly1305.',
    'Add one of these to Ciphers in its sshd_config.',
  ],
  [
    'MAC',
    'no message authentication that Homeport takes: HMAC with SHA-2.',
    'Add hmac-sha2-256 to MACs in its sshd_config.',
  ],
  [
    'compression',
    'compressed connections only, which Homeport does not take: a few bytes could unpack to any amount of memory.',
    'Allow uncompressed connections: “Compression no” in its sshd_config.',
  ],
] as const;

function refusedLogin(facts: HandshakeFacts): OpeningFailure {
  const { username, method, methodsLeft, keyType } = facts;
  const accepts = methodsLeft?.length ? ` It accepts: ${methodsLeft.join(', ')}.` : '';
  const left = methodsLeft?.length ? { methodsLeft } : {};
  if (method === 'password') {
    return {
      code: 'password_refused',
      message: `The server refused the login of ${username}.${accepts}`,
      ...left,
    };
  }
  const hint =
    keyType === 'ssh-rsa' ? ' Some servers take RSA keys in one form only: an Ed25519 key avoids that.' : '';
  return {
    code: 'auth_refused',
    message: `The server refused this key for ${username}.${accepts}${hint}`,
    ...left,
  };
}
