/** Whoever holds the private key: the page, over its socket. The room knows the public half only. */
export interface Signer {
  readonly publicKeyBlob: Buffer;
  /**
   * Answers the inner signature (without the algorithm's name before it). Rejects with an `OpeningError` to say why not.
   * `signal` fires when the answer is no longer wanted.
   */
  sign(request: SignRequest, signal: AbortSignal): Promise<Buffer>;
}

export type SignRequest = {
  /** The bytes to sign (RFC 4252, section 7). */
  data: Buffer;
  /** The server's host key and its own signature over this session's key exchange: the proof of whom this is for. */
  hostKey: Buffer;
  kexSignature: Buffer;
};

/** Whoever can answer the server's questions: the person before the page. Asked only after the host key matched. */
export interface Prompter {
  /** The password as bytes; the room overwrites them with zeros as soon as they are on their way. */
  password(signal: AbortSignal): Promise<Buffer>;
  /** One answer per prompt (RFC 4256). */
  interactive(prompts: InteractivePrompt[], signal: AbortSignal): Promise<string[]>;
}

export type InteractivePrompt = { text: string; echo: boolean };

export type Credential = { method: 'agent'; signer: Signer } | { method: 'password'; prompter: Prompter };
