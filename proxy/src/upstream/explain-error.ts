/** Why an upstream gave no answer: the status for the visitor and a short code. It names no address. */
export type UpstreamFailure = { status: 502 | 504; code: string };

const known: Readonly<Record<string, UpstreamFailure>> = {
  private_address: { status: 502, code: 'private_address' },
  connect_timeout: { status: 504, code: 'connect_timeout' },
  ETIMEDOUT: { status: 504, code: 'connect_timeout' },
  ECONNREFUSED: { status: 502, code: 'refused' },
  ENOTFOUND: { status: 502, code: 'no_such_host' },
  EAI_AGAIN: { status: 502, code: 'no_such_host' },
  EHOSTUNREACH: { status: 502, code: 'unreachable' },
  ENETUNREACH: { status: 502, code: 'unreachable' },
  connection_lost: { status: 502, code: 'connection_lost' },
  ECONNRESET: { status: 502, code: 'connection_lost' },
  EPIPE: { status: 502, code: 'connection_lost' },
  bad_answer: { status: 502, code: 'bad_answer' },
};

export function explainFailure(error: unknown): UpstreamFailure {
  const code = codeOf(error);
  const found = known[code];
  if (found) return found;
  if (isCertificateCode(code)) return { status: 502, code: 'certificate' };
  return { status: 502, code: 'failed' };
}

/** A connection that broke before any byte of an answer: the same request may succeed on another one. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof Error && 'isCut' in error) return false;
  const code = codeOf(error);
  return code === 'connection_lost' || code === 'ECONNRESET' || code === 'EPIPE';
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Several addresses were tried: the first reason stands for all.
  return error instanceof AggregateError ? codeOf(error.errors[0]) : '';
}

function isCertificateCode(code: string): boolean {
  return (
    code.startsWith('CERT_') ||
    code.startsWith('ERR_TLS_CERT') ||
    code.includes('SELF_SIGNED') ||
    code.startsWith('UNABLE_TO_') ||
    code === 'ERR_SSL_WRONG_VERSION_NUMBER'
  );
}
