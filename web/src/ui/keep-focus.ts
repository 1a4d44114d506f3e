import { layers } from './layers.ts';

/** What took the place of the element that had the focus on the page last, since that element is gone. */
let heir: HTMLElement | null = null;

/** For a dialog that closes after its opener went: a dialog's library would go back to what had the focus at any time before. */
export const heirOnPage = (): HTMLElement | null => heir;

/**
 * Keeps the focus of a keyboard where it was when the focused element goes: a deleted row, a button that did its work, a dialog
 * whose opener went. Browsers give the focus to the whole page then, and a screen reader begins at the top again. Call this
 * once for the whole page.
 */
export function keepFocus(): void {
  /** What had the focus last, on the page or in a dialog. Null: the person left it. */
  let focused: HTMLElement | null = null;
  /** Where the focus goes on the page. An element that goes is followed by the one that takes its place. */
  let place: HTMLElement | null = null;
  /** The same in a dialog, while it is open: a message goes that stood above the dialog. */
  let inDialog: HTMLElement | null = null;

  const come = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    focused = target;
    if (target.closest('[data-floats]')) return;
    inDialog = layers().contains(target) ? target : null;
    if (inDialog !== null) return;
    place = target;
    heir = null;
  };
  const leave = ({ target }: FocusEvent) =>
    queueMicrotask(() => {
      // An element that stays on the page lost the focus by a click beside it or by a change of the window.
      if (target === focused && focused?.isConnected && document.activeElement !== focused) focused = null;
    });
  const watcher = new MutationObserver((changes) => {
    if (place && !place.isConnected) {
      heir = heirOf(place, changes);
      place = heir;
    }
    if (!focused || focused.isConnected) return;
    focused = null;
    // A page that changes and a dialog that closes choose the focus themselves, within a frame.
    requestAnimationFrame(() => requestAnimationFrame(() => give(inDialog?.isConnected ? inDialog : place)));
  });

  document.addEventListener('focusin', come);
  document.addEventListener('focusout', leave);
  watcher.observe(document.body, { childList: true, subtree: true });
}

function give(heir: HTMLElement | null): void {
  if (document.activeElement !== document.body || !heir?.isConnected) return;
  heir.focus({ preventScroll: true });
}

const controls =
  ':is(button, a[href], input:not([type="hidden"]), select, textarea, [tabindex="0"]):not(:disabled)';

/** The control that stands where the other one was: in the next row, in the row before, or else in the part around. */
function heirOf(gone: HTMLElement, changes: readonly MutationRecord[]): HTMLElement | null {
  const change = changes.findLast(
    ({ target, removedNodes }) =>
      target.isConnected && [...removedNodes].some((removed) => removed.contains(gone)),
  );
  if (!change || !(change.target instanceof Element)) return null;
  for (const row of [change.nextSibling, change.previousSibling]) {
    const like = row instanceof Element && row.isConnected ? controlLike(gone, row) : undefined;
    if (like) return like;
  }
  for (let part: Element | null = change.target; part; part = part.parentElement) {
    const heading = part.matches('main') ? part.querySelector<HTMLElement>('h1') : null;
    const first = heading ?? visibleControls(part)[0];
    if (first) return first;
  }
  return null;
}

/** The control of a row with the same verb: "Delete www" for "Delete shop". Otherwise the row's first one. */
function controlLike(gone: HTMLElement, row: Element): HTMLElement | undefined {
  const all = visibleControls(row);
  return all.find((control) => verbOf(control) === verbOf(gone)) ?? all[0];
}

const visibleControls = (part: Element): HTMLElement[] =>
  [part, ...part.querySelectorAll(controls)].filter(
    (element): element is HTMLElement =>
      element instanceof HTMLElement && element.matches(controls) && element.checkVisibility(),
  );

const verbOf = (control: HTMLElement) =>
  (control.getAttribute('aria-label') ?? control.textContent).trim().split(' ', 1)[0];
