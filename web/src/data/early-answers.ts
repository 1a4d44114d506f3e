/** An answer that nobody took for this long would show the past. */
const keptMs = 10_000;

const asked = new Map<string, { answer: Promise<Response>; at: number }>();

/** How every reading call of the page is made; `fetch` of the same address elsewhere must not differ. */
export const readingInit = {
  method: 'GET',
  headers: { accept: 'application/json' },
  credentials: 'same-origin',
} as const satisfies RequestInit;

/** Asks before the program that reads the answers has arrived, so that both travel at the same time. */
export function askEarly(urls: readonly string[]): void {
  for (const url of urls) {
    const answer = fetch(url, readingInit);
    // Whoever takes it handles its failure.
    answer.catch(() => asked.delete(url));
    asked.set(url, { answer, at: performance.now() });
  }
}

/** For when the page turns out to be signed out: refusals must not be read as answers after somebody signed in. */
export function dropEarly(): void {
  asked.clear();
}

/** The early answer for this address, once; undefined when nobody asked early. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const early = asked.get(url);
  asked.delete(url);
  return early && performance.now() - early.at < keptMs ? early.answer : undefined;
}
