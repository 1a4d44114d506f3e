/** Everything that floats lives beside the page, above its stacking context. */
export function layers(): HTMLElement {
  return document.getElementById('layers') ?? document.body;
}
