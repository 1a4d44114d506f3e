/** Bytes. No private key file is nearly this long, so a longer file is something else. */
export const keyFileBytes = 64 * 1024;
