/**
 * What the page says of its own accord in a terminal, it says at most every so many milliseconds, which is 50 messages in a second of
 * each kind. The console cuts a page off that sends more than 250.
 */
export const messagePauseMs = 20;
