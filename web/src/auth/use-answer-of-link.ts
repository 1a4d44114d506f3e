import { useEffect, useState } from 'react';

/**
 * A hook that sends the token of a mailed link and gives the answer; undefined until then, and without a token. A link works once, so
 * the hook sends each token once, however often React draws the page.
 */
export function answerOfLink<R>(send: (token: string) => Promise<R>) {
  const sent = new Map<string, Promise<R>>();
  return function useAnswerOfLink(token: string | undefined): R | undefined {
    const [answer, setAnswer] = useState<R>();
    useEffect(() => {
      if (!token) return;
      const coming = sent.get(token) ?? send(token);
      sent.set(token, coming);
      void coming.then(setAnswer);
    }, [token]);
    return answer;
  };
}
