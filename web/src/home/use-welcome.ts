import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { wasOpened } from '../data/opened-once.ts';
import { useSession } from '../data/session.ts';
import { closeWelcome, isWelcomeOpen, openWelcome } from './welcome.ts';

/**
 * Opens the welcome for a user without a key who came from another page, or to a document without a drawn
 * welcome.
 */
export function useWelcome(noKeys: boolean): void {
  const navigate = useNavigate();
  const account = useSession().user.id;
  useEffect(() => {
    if (!noKeys || wasOpened('homeport.welcomed', account)) return;
    let left = false;
    const open = async () => {
      const { drawWelcome } = await import('./draw-welcome.tsx');
      if (!left) openWelcome(drawWelcome(), account, () => void navigate({ to: '/ssh-keys/new' }));
    };
    if (!isWelcomeOpen()) void open();
    return () => {
      left = true;
      closeWelcome();
    };
  }, [noKeys, navigate, account]);
}
