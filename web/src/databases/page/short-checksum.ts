/** Enough of a checksum to tell two dumps apart. */
export const shortChecksum = (sha256: string) => sha256.slice(0, 12);
