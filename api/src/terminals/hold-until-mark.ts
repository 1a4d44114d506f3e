/** A shell that printed more than this before its mark has no mark. */
const mostHeld = 32 * 1024;

/**
 * Holds back what a terminal shows before its mark: the lines that the console types itself, and the first prompts. What is no opening
 * of a shell, such as Docker's word that the container has none, is shown at the end.
 */
export function holdUntilMark(mark: string, onMark: (line: string) => void) {
  const begin = Buffer.from(`${mark} `, 'latin1');
  let held: Buffer | null = Buffer.alloc(0);
  const giveUp = (): Buffer => {
    const all = held ?? Buffer.alloc(0);
    held = null;
    return all;
  };
  return {
    read(bytes: Buffer): Buffer {
      if (held === null) return bytes;
      held = Buffer.concat([held, bytes]);
      const from = held.indexOf(begin);
      const to = from < 0 ? -1 : held.indexOf('\n', from);
      if (to >= 0) {
        onMark(held.toString('latin1', from, to));
        return giveUp().subarray(to + 1);
      }
      return held.length > mostHeld ? giveUp() : Buffer.alloc(0);
    },
    giveUp,
  };
}
