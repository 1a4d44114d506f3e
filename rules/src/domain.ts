/** The name that a Host header asks for: without port and without one dot at the end, in lower case. */
export function hostOfHeader(header: string): string {
  const name = header.replace(/:[0-9]*$/, '');
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase();
}
