import { useEffect, useRef, useState } from 'react';
import { call } from '../data/call.ts';
import { Button } from '../ui/button/Button.tsx';
import { buttonClass } from '../ui/button/button-class.ts';
import { tellPartMissing } from '../ui/feedback/part-missing.ts';
import { toast } from '../ui/feedback/toasts.ts';
import { Icon } from '../ui/picture/Icon.tsx';
import styles from './GithubEntry.module.css';

const loadSignIn = () => import('./github-sign-in.ts');

/** Marks a drawn page that offers GitHub, so that the browser's first drawing equals the build's. */
export const githubMark = 'data-github-entry';

export interface GithubEntryProps {
  /** Whether the drawn page offers GitHub. undefined if the page was not drawn. */
  drawn: boolean | undefined;
  /** The query with which GitHub leads back here. */
  back: URLSearchParams | null;
  /** The address to open after signing in, as the query gives it. */
  next: string | undefined;
  /** The token of an invitation's link. */
  invitation: string | undefined;
  /** Nobody has an account here yet, and no GitHub account could make one on this page. */
  onNoOwner: () => void;
  /** GitHub knows the person, and the account asks for a code next. `opens`: the address to open after it. Resolves with false where its form could not be loaded. */
  onSecondStep: (opens: string | undefined) => Promise<boolean>;
}

/** The way in with GitHub, and its second half when GitHub leads back here. Nothing on a console without GitHub. */
export function GithubEntry({ drawn, back, next, invitation, onNoOwner, onSecondStep }: GithubEntryProps) {
  const offered = useGithubOffer(drawn, onNoOwner);
  const [leaving, setLeaving] = useState(false);
  const finishing = useFinish(back, onSecondStep);
  if (!offered) return null;
  const leave = async () => {
    setLeaving(true);
    const loaded = await loadSignIn().catch(() => null);
    const failure = loaded && (await loaded.leaveForGithub({ next, invitation }));
    if (!loaded) tellPartMissing();
    else if (failure) toast.bad(failure);
    else return;
    setLeaving(false);
  };
  return (
    <div {...{ [githubMark]: '' }}>
      <Button
        size="lg"
        block
        icon="branch"
        busy={leaving || finishing}
        busyLabel={finishing ? 'Signing in with GitHub' : 'Opening GitHub'}
        onPointerEnter={() => void loadSignIn().catch(() => {})}
        onFocus={() => void loadSignIn().catch(() => {})}
        onClick={() => void leave()}
      >
        Continue with GitHub
      </Button>
      <Or />
    </div>
  );
}

/** The option of the sign-up page: the sign-in page makes the account too. */
export function GithubLink({ href }: { href: string }) {
  return (
    <div {...{ [githubMark]: '' }}>
      <a className={buttonClass({ size: 'lg', block: true })} href={href}>
        <Icon name="branch" size={18} />
        Continue with GitHub
      </a>
      <Or />
    </div>
  );
}

const Or = () => <p className={styles.or}>or with e-mail</p>;

/** Whether the console has an OAuth app at GitHub. A page that was drawn without it asks. */
export function useGithubOffer(drawn: boolean | undefined, onNoOwner?: () => void): boolean {
  const [offered, setOffered] = useState(drawn ?? false);
  const noOwner = useRef(onNoOwner);
  noOwner.current = onNoOwner;
  useEffect(() => {
    // A page is drawn without GitHub where the settings name no OAuth app. The owner may have entered one since.
    if (drawn === true) return undefined;
    const leaving = new AbortController();
    call('GET /api/configuration', undefined, { signal: leaving.signal }).then(
      ({ githubSignIn, hasOwner }) => {
        setOffered(githubSignIn);
        if (!githubSignIn && !hasOwner) noOwner.current?.();
      },
      () => {},
    );
    return () => leaving.abort();
  }, [drawn]);
  return offered;
}

/** Finishes the sign-in once. True while that goes on. */
function useFinish(back: URLSearchParams | null, onSecondStep: GithubEntryProps['onSecondStep']): boolean {
  const begun = useRef(false);
  const [finishing, setFinishing] = useState(false);
  const askForCode = useRef(onSecondStep);
  askForCode.current = onSecondStep;
  useEffect(() => {
    if (!back || begun.current) return;
    begun.current = true;
    setFinishing(true);
    const finish = async () => {
      const loaded = await loadSignIn().catch(() => null);
      // The code is still in the address, so another load of the page can use it.
      if (!loaded) tellPartMissing();
      const isLeft = await loaded?.finishAtGithub(back, (next) => askForCode.current(next));
      if (!isLeft) setFinishing(false);
    };
    void finish();
  }, [back]);
  return finishing;
}
