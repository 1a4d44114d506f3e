/** `22 Nov 2026, 10:13 UTC`, because the reader's time zone is not known. */
export function moment(at: number): string {
  const words = new Date(at).toUTCString().split(' ');
  return `${Number(words[1])} ${words[2]} ${words[3]}, ${words[4]?.slice(0, 5)} UTC`;
}
