declare module 'bcrypt-pbkdf' {
  const bcrypt: {
    /** Fills `key`. Returns -1 if an argument is out of range: no rounds, or an empty passphrase or salt. */
    pbkdf(
      passphrase: Uint8Array,
      passphraseLength: number,
      salt: Uint8Array,
      saltLength: number,
      key: Uint8Array,
      keyLength: number,
      rounds: number,
    ): number;
  };
  // biome-ignore lint/style/noDefaultExport: the package is CommonJS; its whole exports are the default import
  export default bcrypt;
}
