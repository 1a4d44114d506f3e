import { useEffect, useRef } from 'react';
import { githubReturn, refusedAtGithub } from '../../data/github-visit.ts';
import { problemText } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { toast } from '../../ui/feedback/toasts.ts';

/** Finishes a link when GitHub leads back to the profile. True while that goes on. */
export function useFinishedLink(): boolean {
  const begun = useRef(false);
  const finish = useAct('POST /api/github/link/finish', {
    onDone: ({ account }) => toast.ok(`${account?.login ?? 'GitHub'} linked`),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  useEffect(() => {
    const back = githubReturn(new URLSearchParams(location.search));
    if (!back || begun.current) return;
    begun.current = true;
    // The code works once: the address without it can be loaded again.
    history.replaceState(history.state, '', '/profile#github');
    if (back.kind === 'refused') toast.info(refusedAtGithub);
    else finish.mutate({ body: { code: back.code, state: back.state } });
  });
  return finish.isPending;
}
