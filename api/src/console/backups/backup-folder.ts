/** What a test restore of a backup showed. The notes are words for the owner. */
export type BackupProof =
  | { state: 'proven' }
  /** Nobody could restore this backup. */
  | { state: 'failed'; note: string }
  /** This machine could not try. */
  | { state: 'skipped'; note: string };

/** What a backup became. */
export type MadeBackup = {
  rows: number;
  bytes: number;
  /** Of the file, in hex. */
  sha256: string;
  /** Null where none was asked for. */
  proof: BackupProof | null;
};

/** Where encrypted backups are copied to, away from this machine. Each throws `BackupFailed` where it does not come about. */
export type BackupCopies = {
  /** As the operator named it: without a secret. */
  target: string;
  /** Copies a file of the folder, under its name. */
  put(file: string): Promise<void>;
  /** Reads the copy to its end. */
  isIntact(file: string, sha256: string): Promise<boolean>;
  /** A copy that is not there is removed, too. */
  remove(file: string): Promise<void>;
};

/** The folder of this machine in which backups of the console are. The launcher makes them in processes of their own. */
export type BackupFolder = {
  path: string;
  /** The operator's public key of age; null: the settings name none. */
  usualRecipient: string | null;
  /** Null: the settings name none. */
  copies: BackupCopies | null;
  /**
   * Makes a file of this name, whole or not at all. With `prove` the file is then restored into a PostgreSQL that goes again. Throws
   * `BackupFailed`.
   */
  make(file: string, recipient: string | null, wanted: { prove: boolean }): Promise<MadeBackup>;
  /** Reads the file to its end. Throws `BackupFailed` where it cannot be read. */
  isIntact(file: string, sha256: string): Promise<boolean>;
  has(file: string): Promise<boolean>;
  /** Null where the file is not here. */
  open(file: string): Promise<{ bytes: number; chunks: AsyncIterable<Uint8Array> } | null>;
  remove(file: string): Promise<void>;
  /** Ends what is under way. Nothing is left of it. */
  close(): Promise<void>;
};

/** Why a backup did not come about, in words for the owner. */
export class BackupFailed extends Error {}
