/** An e-mail of the console, as plain text. */
export type Message = {
  to: string;
  subject: string;
  text: string;
  /** For an automatic message: its place among the messages of the same incident. */
  thread?: {
    /** An identifier of the console, the same for each try to send this message. */
    id: string;
    /** The identifiers of the earlier messages, the oldest first. */
    earlier: readonly string[];
  };
};
