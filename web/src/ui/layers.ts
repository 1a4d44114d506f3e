/** The parent of everything that floats. It stands beside the page, above the page's stacking context. */
export function layers(): HTMLElement {
  return document.getElementById('layers') ?? document.body;
}
