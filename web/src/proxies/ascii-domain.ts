/**
 * The ASCII form of a domain that a person typed, as DNS has it: `bücher.example` becomes `xn--bcher-kva.example`. Null for what
 * is no name alone, such as an address with a path.
 */
export function asciiDomain(typed: string): string | null {
  const text = typed.trim().replace(/\.$/, '');
  if (text === '' || /[\s/:?#@\\%]/.test(text) || !URL.canParse(`http://${text}`)) return null;
  return new URL(`http://${text}`).hostname;
}
