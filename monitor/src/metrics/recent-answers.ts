const freshMs = 5_000;
const personsAtMost = 50;

/** Gives a person's last answer again for five seconds, so that many scrapers cost as much as one. */
export function createRecentAnswers(clock: () => number) {
  const answers = new Map<string, { at: number; text: string }>();
  return async (person: string, make: () => Promise<string>): Promise<string> => {
    const kept = answers.get(person);
    if (kept && clock() - kept.at < freshMs) return kept.text;
    const text = await make();
    answers.delete(person);
    for (const oldest of answers.keys()) {
      if (answers.size < personsAtMost) break;
      answers.delete(oldest);
    }
    answers.set(person, { at: clock(), text });
    return text;
  };
}
