/**
 * Asks the person who they are, before an act that makes a lasting way in. The frame shows the dialog; the data layer only waits for
 * its answer.
 */
export interface Confirmation {
  /** True: the person has confirmed, and the act is sent again. */
  answer: (confirmed: boolean) => void;
}

let waiting: Confirmation | null = null;
const listeners = new Set<() => void>();

function publish(next: Confirmation | null) {
  waiting = next;
  for (const listener of listeners) listener();
}

let asked: Promise<boolean> | null = null;

/** Acts that need a confirmation at the same moment share one dialog. */
export function askToConfirm(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    publish({
      answer(confirmed) {
        asked = null;
        publish(null);
        resolve(confirmed);
      },
    });
  });
  return asked;
}

export const confirmationStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: () => waiting,
};
