/** The holder of the private key: the page, over its socket. This room knows the public half only. */
export interface Signer {
  readonly publicKeyBlob: Buffer;
  /**
   * Resolves with the inner signature (without the algorithm's name before it). Rejects with an `OpeningError` that gives the
   * reason. `signal` fires when nobody needs the signature any more.
   */
  sign(request: SignRequest, signal: AbortSignal): Promise<Buffer>;
}

export type SignRequest = {
  /** The bytes to sign (RFC 4252, section 7). */
  data: Buffer;
  /** The server's host key, and the server's signature over this session's key exchange. Together they prove the server's identity. */
  hostKey: Buffer;
  kexSignature: Buffer;
};

/** Asks the person at the page the server's questions, and only after the host key matched. */
export interface Prompter {
  /** The password as bytes. This room overwrites them with zeros as soon as they are sent. */
  password(signal: AbortSignal): Promise<Buffer>;
  /** One answer per prompt (RFC 4256). */
  interactive(prompts: InteractivePrompt[], signal: AbortSignal): Promise<string[]>;
}

export type InteractivePrompt = { text: string; echo: boolean };

export type Credential = { method: 'agent'; signer: Signer } | { method: 'password'; prompter: Prompter };
