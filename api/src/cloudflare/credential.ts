/**
 * The kinds of credential, each of which is sent in another way. `token`: a user's API token. `account_token`: a token of an
 * account, which has no user. `global_key`: the legacy key of a user, which may do everything that its user may.
 */
export type CredentialKind = 'token' | 'account_token' | 'global_key';

export type Credential = { kind: CredentialKind; email: string | null; secret: Buffer };

/**
 * Tells the kinds apart: by the prefix that Cloudflare gives to new credentials, and else by the form of the old ones: the global
 * key had 37 hexadecimal digits and goes with an e-mail address.
 */
export function kindOf(credential: string, email: string | null): CredentialKind {
  if (credential.startsWith('cfut_')) return 'token';
  if (credential.startsWith('cfat_')) return 'account_token';
  if (credential.startsWith('cfk_')) return 'global_key';
  return email !== null && /^[0-9a-f]{37}$/.test(credential) ? 'global_key' : 'token';
}

export const needsEmail = (kind: CredentialKind) => kind === 'global_key';

/** The headers that prove the credential. The strings live as long as the request. */
export function proofHeaders({ kind, email, secret }: Credential): Record<string, string> {
  return kind === 'global_key'
    ? { 'x-auth-email': email ?? '', 'x-auth-key': secret.toString('latin1') }
    : { authorization: `Bearer ${secret.toString('latin1')}` };
}
