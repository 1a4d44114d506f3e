/** An e-mail of the console, as plain text. */
export type Message = {
  to: string;
  subject: string;
  text: string;
  /** Of a message that answers nobody: its place among those of the same incident. */
  thread?: {
    /** A word of our own, the same each time that this message is sent. */
    id: string;
    /** Those of the messages before it, oldest first. */
    earlier: readonly string[];
  };
};
