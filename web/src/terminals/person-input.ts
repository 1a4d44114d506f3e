/** What a person does to a terminal: keys, what a phone's keyboard or an input method enters, and pastes. */
const acts = ['keydown', 'keypress', 'input', 'compositionend', 'paste'] as const;

/**
 * Tells what a person types from what the screen types by itself: answers to a program, reports of the focus and of the mouse. The screen
 * passes a person's text on while the browser tells of it; an input method's text follows in the next task.
 */
export function watchPerson(place: EventTarget) {
  let act = 0;
  let isActing = false;
  const begin = () => {
    act += 1;
    const mine = act;
    isActing = true;
    // The screen's own task, which this one precedes, is over when the second begins.
    setTimeout(() =>
      setTimeout(() => {
        if (mine === act) isActing = false;
      }),
    );
  };
  for (const name of acts) place.addEventListener(name, begin, { capture: true });
  return {
    isActing: () => isActing,
    /** Runs what a person pressed beside the screen. */
    act(run: () => void): void {
      begin();
      run();
    },
    stop(): void {
      for (const name of acts) place.removeEventListener(name, begin, { capture: true });
    },
  };
}
