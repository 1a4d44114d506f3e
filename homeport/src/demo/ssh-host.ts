/** An SSH server on 127.0.0.1 that lets in the keys of its authorized_keys files, each to its forced command. */
export type SshHost = {
  port: number;
  close(): Promise<void>;
};

export type SshHostOptions = {
  /** The folder for the server's own files. Each start writes them again. */
  folder: string;
  port: number;
  /** In OpenSSH's own format, mode 0600. */
  hostKeyFile: string;
  /** Read again for every login. The first line that fits a key counts. */
  authorizedKeysFiles: readonly string[];
  /** The variables of every session. */
  env: Readonly<Record<string, string>>;
};
