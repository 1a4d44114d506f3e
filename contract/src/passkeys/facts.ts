/** A challenge that no device has signed by then is worth nothing. */
export const passkeyMinutes = 5;
/** The longest id of a credential (WebAuthn Level 2, 5.8.3: 1023 bytes), as base64url. */
export const credentialIdCharacters = 1_364;
/** Each of the other parts of a device's answer, as base64url. Attestations are not asked for, so they are short. */
export const passkeyPartCharacters = 16_000;

/** Browsers make passkeys for names only, never for an IP address (WebAuthn Level 2, 5.1.3). */
export const canHavePasskeys = (hostname: string): boolean =>
  !hostname.includes(':') && !/^[0-9.]+$/.test(hostname);
