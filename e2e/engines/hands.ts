import { expect } from '@playwright/test';
import type { HandsOnTab } from './browser.ts';
import { focusListInPage, type Kind, placeInPage, textInPage } from './place-in-page.ts';

/** What a person does with a page: looks for a name, presses it, types, and reads what the page shows. */
export type Hands = {
  goto(path: string): Promise<void>;
  /** Presses the button, link or menu item of this name. */
  press(name: string): Promise<void>;
  /** Types into the field of this label, in place of the text there. */
  fill(label: string, text: string): Promise<void>;
  /** Chooses in the list of this label with the keyboard, as after Tab. */
  choose(label: string, option: string): Promise<void>;
  /**
   * Waits until the visible text of the page, or of the parts that match `within`, has this text. Scrolls to the first of the
   * parts, because the page reads nothing for a part that is off the screen.
   */
  see(text: string | RegExp, options?: { within?: string; seconds?: number }): Promise<void>;
  /** The first text of an element that matches, and begins so. Empty without one. */
  read(selector: string, beginning?: string): Promise<string>;
};

const usualSeconds = 20;
/** The control key (https://www.w3.org/TR/webdriver2/#keyboard-actions). */
const control = '\uE009';

/** The hands of a person at one tab. They wait for an element as long as a person would. */
export function handsOn(tab: HandsOnTab, origin: string): Hands {
  const press = async (kind: Kind, name: string) => {
    let place = '';
    await expect
      .poll(
        async () => {
          const before = place;
          place = await placeOf(tab, kind, name);
          return place === before ? place : `the ${kind} moves`;
        },
        { message: `the place of ${kind} "${name}"`, timeout: usualSeconds * 1000, intervals: [50] },
      )
      .toMatch(/^\d/);
    const [x = 0, y = 0] = place.split(' ').map(Number);
    const move = { type: 'pointerMove', x, y } as const;
    const click = (['pointerDown', 'pointerUp'] as const).map((type) => ({ type, button: 0 }) as const);
    await tab.perform([{ type: 'pointer', id: 'mouse', actions: [move, ...click] }]);
  };
  const type = (...strokes: readonly (readonly string[])[]) =>
    tab.perform([{ type: 'key', id: 'keyboard', actions: strokes.flatMap(stroke) }]);
  return {
    async goto(path) {
      await tab.goto(origin + path);
      // The document is drawn before its program answers to a press.
      const answers = `location.href === ${JSON.stringify(origin + path)} && document.readyState === 'complete'
        && document.querySelector('[inert] #main') === null`;
      await expect
        .poll(() => tab.evaluate(answers).catch(() => false), {
          message: `${path} answers`,
          timeout: usualSeconds * 1000,
        })
        .toBe(true);
    },
    press: (name) => press('control', name),
    async fill(label, text) {
      await press('field', label);
      await type([control, 'a'], ...[...text].map((letter) => [letter]));
      await expect.poll(() => tab.evaluate('document.activeElement.value')).toBe(text);
    },
    async choose(label, option) {
      const focused = `(${focusListInPage.toString()})(${JSON.stringify(label)}, ${JSON.stringify(option)})`;
      await expect.poll(() => tab.evaluate(focused), `the list "${label}" with "${option}"`).toBe(true);
      await type(...[...option].map((letter) => [letter]));
      await expect.poll(() => tab.evaluate('document.activeElement.selectedOptions[0].label')).toBe(option);
    },
    async see(text, { within = 'body', seconds = usualSeconds } = {}) {
      const look = `(${textInPage.toString()})(${JSON.stringify(within)})`;
      // A page that is being replaced cannot run a script.
      const shown = () => tab.evaluate(look).catch(() => '');
      const poll = expect.poll(shown, { timeout: seconds * 1000, intervals: [100] });
      await (typeof text === 'string' ? poll.toContain(text) : poll.toMatch(text));
    },
    async read(selector, beginning = '') {
      const texts = `[...document.querySelectorAll(${JSON.stringify(selector)})].map((part) => part.textContent)`;
      return String(
        await tab.evaluate(`${texts}.find((text) => text.startsWith(${JSON.stringify(beginning)})) ?? ''`),
      );
    },
  };
}

/** Presses the keys in turn and lets them go in the opposite order. */
function stroke(keys: readonly string[]) {
  return [
    ...keys.map((value) => ({ type: 'keyDown', value }) as const),
    ...keys.toReversed().map((value) => ({ type: 'keyUp', value }) as const),
  ];
}

/** `x y` in pixels of the viewport, or the reason why nobody could press there. */
async function placeOf(tab: HandsOnTab, kind: Kind, name: string): Promise<string> {
  const call = `(${placeInPage.toString()})(${JSON.stringify(kind)}, ${JSON.stringify(name)})`;
  return String(await tab.evaluate(call).catch((error: unknown) => `the page answers ${error}`));
}
