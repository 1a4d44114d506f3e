export interface BackupKey {
  /** Opens the backups. It never leaves this page by itself. */
  privateKey: string;
  /** For whom the console encrypts. */
  recipient: string;
}

/** A pair of age's, made in this browser. */
export async function makeKey(): Promise<BackupKey> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const privateKey = await generateX25519Identity();
  return { privateKey, recipient: await identityToRecipient(privateKey) };
}

/** The file of age-keygen, which `restore --identity` takes. */
export const keyFile = ({ privateKey, recipient }: BackupKey): string =>
  `# public key: ${recipient}\n${privateKey}\n`;

/** The words of the sheet that is printed, for somebody who finds it in some years. */
export const keySheet = (key: BackupKey, host: string): string =>
  `Key for the backups of the Homeport console ${host}

Private key (keep this sheet as you keep a key):
${key.privateKey}

Public key:
${key.recipient}

To restore: write the private key into a file, then
homeport restore BACKUP --identity FILE --data FOLDER
`;
