/** An SSH server on 127.0.0.1 that lets in the keys of its authorized_keys files, each to its forced command. */
export type SshHost = {
  port: number;
  close(): Promise<void>;
};

export type SshHostOptions = {
  /** For files of its own; what is in there from an earlier start is written anew. */
  folder: string;
  port: number;
  /** In OpenSSH's own format, mode 0600. */
  hostKeyFile: string;
  /** Read for every login; the first line that fits a key counts. */
  authorizedKeysFiles: readonly string[];
  /** What every session holds. */
  env: Readonly<Record<string, string>>;
};
