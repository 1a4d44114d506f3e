/** Changes a text that comes in pieces. A character is a byte (latin1), so bytes that are not changed stay equal in any charset. */
export type Rewriter = {
  write(chunk: string): string;
  /** The rest passes untouched, so nobody need show it to the rewriter. */
  isDone(): boolean;
  end(): string;
};
