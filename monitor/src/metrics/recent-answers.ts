const freshMs = 5_000;
const personsAtMost = 50;

/** `at` is null while the answer is being made. */
type Answer = { at: number | null; text: Promise<string> };

/** Gives a person's last answer again for five seconds, and the one that is being made to all who wait, so that many scrapers cost as much as one. */
export function createRecentAnswers(clock: () => number) {
  const answers = new Map<string, Answer>();
  const isOver = ({ at }: Answer) => at !== null && clock() - at >= freshMs;

  function makeRoom(): void {
    for (const [person, answer] of answers) if (isOver(answer)) answers.delete(person);
    for (const oldest of answers.keys()) {
      if (answers.size < personsAtMost) break;
      answers.delete(oldest);
    }
  }

  return async (person: string, make: () => Promise<string>): Promise<string> => {
    const kept = answers.get(person);
    if (kept && !isOver(kept)) return kept.text;
    makeRoom();
    const answer: Answer = { at: null, text: make() };
    answers.set(person, answer);
    try {
      return await answer.text;
    } catch (error) {
      if (answers.get(person) === answer) answers.delete(person);
      throw error;
    } finally {
      answer.at = clock();
    }
  };
}
