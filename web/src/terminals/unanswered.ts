import type { IParser } from '@xterm/xterm';

/** OSC 52: a program asks for the clipboard. */
const clipboard = 52;
/** OSC 4, 10, 11 and 12 set colours, or ask for them by a question mark. */
const colourCodes = [4, 10, 11, 12] as const;
/** DECRQSS: a program asks for a setting. */
const settingRequest = { intermediates: '$', final: 'q' } as const;
/** DECRQM: a program asks for a mode, of ANSI or of DEC. */
const modeRequests = [
  { intermediates: '$', final: 'p' },
  { prefix: '?', intermediates: '$', final: 'p' },
] as const;

/**
 * What a program prints can make the screen type an answer. Only the questions that editors ask have one: whether the terminal works,
 * its kind and the place of its cursor, which are numbers.
 */
export function leaveUnanswered(parser: IParser): void {
  parser.registerOscHandler(clipboard, () => true);
  for (const code of colourCodes) parser.registerOscHandler(code, (data) => data.includes('?'));
  parser.registerDcsHandler(settingRequest, () => true);
  for (const request of modeRequests) parser.registerCsiHandler(request, () => true);
}
