/** No private key file is near this long, in bytes; a longer one is something else. */
export const keyFileBytes = 64 * 1024;
