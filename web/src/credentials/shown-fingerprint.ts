/** The id of a key as people write it: MD5 with colons. Every page shows this form, so that a key is recognised by eye. */
export const shownFingerprint = (keyId: string): string => keyId.match(/../g)?.join(':') ?? keyId;
