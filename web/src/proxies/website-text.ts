/** An address as people read it: without its scheme where that is https, and without a slash at its end. */
export function websiteText(url: string): string {
  const text = url.startsWith('https://') ? url.slice('https://'.length) : url;
  return text.endsWith('/') ? text.slice(0, -1) : text;
}
