import { noKeysRedirectMs, toastMs } from '@homeport/contract/limits';
import { messages } from '@homeport/contract/messages';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { dismissToast, toast } from '../../ui/feedback/toasts.ts';

/** Without any key nobody could deploy. The page says so and leads to the page that adds a key. */
export function useKeysRequired(none: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!none) return;
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      void navigate({ to: '/ssh-keys/new' });
    };
    const id = toast.warn(messages.noKeys, { durationMs: toastMs.noKeys, onDone: leave });
    const timer = setTimeout(leave, noKeysRedirectMs);
    return () => {
      clearTimeout(timer);
      if (left) return;
      // The user has left the page, so the redirect is cancelled.
      left = true;
      dismissToast(id);
    };
  }, [none, navigate]);
}
