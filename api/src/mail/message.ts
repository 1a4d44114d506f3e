/** An e-mail of the console, as plain text. */
export type Message = { to: string; subject: string; text: string };
