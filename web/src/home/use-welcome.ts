import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { closeWelcome, isWelcomeOpen, openWelcome } from './welcome.ts';
import { wasWelcomed } from './welcomed.ts';

/**
 * Opens the welcome for a user without a key who came from another page, or to a document without a drawn
 * welcome.
 */
export function useWelcome(noKeys: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!noKeys || wasWelcomed()) return;
    let left = false;
    const open = async () => {
      const { drawWelcome } = await import('./draw-welcome.tsx');
      if (!left) openWelcome(drawWelcome(), () => void navigate({ to: '/ssh-keys/new' }));
    };
    if (!isWelcomeOpen()) void open();
    return () => {
      left = true;
      closeWelcome();
    };
  }, [noKeys, navigate]);
}
