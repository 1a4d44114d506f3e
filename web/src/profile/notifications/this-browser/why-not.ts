export interface BrowserFacts {
  /** The page came over https, or from this machine. */
  isSecure: boolean;
  /** The browser has service workers, push messages and notifications. */
  hasPush: boolean;
  permission: NotificationPermission;
  /** An iPhone or iPad, where only a page on the home screen takes push messages. */
  isApple: boolean;
}

/** Why this browser cannot be turned on, and what to do; null if its person can be asked. */
export function whyNot({ isSecure, hasPush, permission, isApple }: BrowserFacts): string | null {
  if (!isSecure)
    return 'Browsers take notifications only from a page over https. Open the console at an https address.';
  if (!hasPush && isApple)
    return 'On an iPhone or iPad, add this console to the home screen first (Share, Add to Home Screen), and open it from there.';
  if (!hasPush) return 'This browser, or this private window of it, takes no push messages.';
  if (permission === 'denied')
    return 'This browser blocks notifications of this console. Allow them in the browser’s settings for this site, and load the page again.';
  return null;
}

export function readBrowserFacts(): BrowserFacts {
  const hasPush = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  const { userAgent, maxTouchPoints } = navigator;
  return {
    ...{ isSecure: isSecureContext, hasPush },
    permission: 'Notification' in window ? Notification.permission : 'default',
    // An iPad says that it is a Mac, and no Mac has a touch screen.
    isApple: /iPhone|iPad/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1),
  };
}
