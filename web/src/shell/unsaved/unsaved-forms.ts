// Every form of a page is watched in one place, so that no form can be forgotten: typed input asks before it is lost. Forms keep
// their own state, and a form that went from the page, as with its dialog, holds nothing any more.

/** What is asked of a form. */
interface WatchedForm {
  readonly isConnected: boolean;
  querySelector: (selector: string) => unknown;
}

/** The forms with input since they appeared, and whether it was sent. */
export class UnsavedForms {
  readonly #forms = new Map<WatchedForm, { sent: boolean }>();

  typed(form: WatchedForm): void {
    this.#forms.set(form, { sent: false });
  }

  sent(form: WatchedForm): void {
    const known = this.#forms.get(form);
    if (known) known.sent = true;
  }

  /**
   * Whether to leave the page now would lose something. A form that was sent leads to another page by itself when it is saved, although
   * the fault of an earlier try may still be shown. Where a person leaves, a form that shows a fault was sent in vain.
   */
  any(leaving: 'person' | 'program'): boolean {
    for (const [form, { sent }] of this.#forms) {
      if (!form.isConnected) this.#forms.delete(form);
      else if (!sent || (leaving === 'person' && form.querySelector('[aria-invalid="true"]') !== null))
        return true;
    }
    return false;
  }
}

/** The router asks some moments after the click. */
const leadsForMs = 1_000;

/** Tells a link that a person follows from a page that leads on by itself. */
export class FollowedLinks {
  #clickedAt = Number.NEGATIVE_INFINITY;

  clicked(at: number): void {
    this.#clickedAt = at;
  }

  /** @param action of the router's history */
  leaving(action: string, now: number): 'person' | 'program' {
    const byCode = action === 'PUSH' || action === 'REPLACE';
    return byCode && now - this.#clickedAt > leadsForMs ? 'program' : 'person';
  }
}

const words = 'input:not([type="checkbox"], [type="radio"], [type="file"]), textarea';
const choices = 'input:is([type="checkbox"], [type="radio"]), select';

/**
 * Whether an event of this element is work that would be lost. A single tick or choice is made again at once, so choices count only
 * in a form that stages several of them (`data-keeps="choices"`), such as a schedule.
 */
export function isWork(keeps: string | undefined, isOf: (selector: string) => boolean): boolean {
  if (keeps === 'nothing') return false;
  return isOf(words) || (keeps === 'choices' && isOf(choices));
}

/**
 * A form with `data-keeps="nothing"` holds no work: a password that is asked for, or a word that confirms a deletion.
 *
 * `early`: the events of forms before the watch. Returns how to stop.
 */
export function watchForms(
  page: Document,
  forms: UnsavedForms,
  links: FollowedLinks,
  early: readonly Event[],
): () => void {
  const typed = ({ target }: Event) => {
    if (!(target instanceof HTMLElement)) return;
    const form = target.closest('form');
    if (form && isWork(form.dataset.keeps, (selector) => target.matches(selector))) forms.typed(form);
  };
  const sent = ({ target }: Event) => {
    if (target instanceof HTMLFormElement) forms.sent(target);
  };
  const clicked = ({ target }: Event) => {
    if (target instanceof Element && target.closest('a[href]')) links.clicked(performance.now());
  };
  for (const event of early) (event.type === 'submit' ? sent : typed)(event);
  // Captured, because a form may stop its events.
  page.addEventListener('input', typed, true);
  page.addEventListener('submit', sent, true);
  page.addEventListener('click', clicked, true);
  return () => {
    page.removeEventListener('input', typed, true);
    page.removeEventListener('submit', sent, true);
    page.removeEventListener('click', clicked, true);
  };
}
