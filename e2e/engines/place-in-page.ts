export type Kind = 'control' | 'field';

/**
 * Runs in the page, so it uses nothing from outside of itself. Scrolls to the element and returns the middle of the element as
 * `x y`. Returns a reason where the browser would not give the element a press.
 */
export function placeInPage(kind: Kind, name: string): string {
  const controls = 'button, a[href], label:has([type=radio], [type=checkbox])';
  const said = (text: string | null | undefined) => text?.replaceAll(/\s+/g, ' ').trim() === name;
  const named =
    kind === 'control'
      ? [...document.querySelectorAll<HTMLElement>(controls)].filter(
          (each) =>
            said(each.getAttribute('aria-label')) ||
            said(each.innerText) ||
            said(each.innerText.trim().split('\n')[0]),
        )
      : [...document.querySelectorAll('label')]
          // A second word of the label says that the field is optional.
          .filter(({ firstChild }) => said(firstChild?.textContent))
          .map((label) => label.control);
  const usable = named.filter((each) => each?.checkVisibility() && !each.closest('[inert], :disabled'));
  // A dialog stands after the page that it covers.
  for (const element of usable.toReversed()) {
    element?.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left = 0, top = 0, width = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
    const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
    if (element?.contains(document.elementFromPoint(x, y))) return `${x} ${y}`;
  }
  return usable.length > 0 ? `something covers the ${kind} ${name}` : `there is no ${kind} ${name}`;
}

/** Runs in the page. Focuses the list of this label. Returns false until the list is there and has the option. */
export function focusListInPage(name: string, option: string): boolean {
  const list = [...document.querySelectorAll('label')].find(
    ({ firstChild }) => firstChild?.textContent?.trim() === name,
  )?.control;
  if (!(list instanceof HTMLSelectElement)) return false;
  list.focus();
  return [...list.options].some(({ label }) => label === option);
}

/**
 * Runs in the page. Returns the visible text of the parts that match. Scrolls to the first of them where it is out of sight, as
 * it may be again after the page has grown.
 */
export function textInPage(selector: string): string {
  const parts = [...document.querySelectorAll<HTMLElement>(selector)];
  const { top = 0, bottom = 0 } = parts[0]?.getBoundingClientRect() ?? {};
  if (bottom <= 0 || top >= innerHeight) parts[0]?.scrollIntoView({ block: 'center', behavior: 'instant' });
  return parts.map(({ innerText }) => innerText).join('\n');
}
