import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';
import { fromBase64url, toBase64url, utf8 } from '@homeport/signer/bytes';
import { call } from '../../../data/call.ts';
import { readBrowserFacts, whyNot } from './why-not.ts';

/** Why a browser was not turned on, in a sentence or two. */
export class NotTurnedOn extends Error {}

export type PushTarget = Extract<Target, { kind: 'web-push' }>;

/** What this browser has: which destination it is, and for which key of the console it was turned on. */
export interface Subscription {
  /** The SHA-256 of its push address in base64url, as the console has it. */
  device: string;
  key: string;
}

const workerPath = '/service-worker.js';

interface TrustedTypesFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}
let policy: ReturnType<TrustedTypesFactory['createPolicy']> | undefined;

/** `undo` ends what this press made, and nothing that was there before. */
export interface TurnedOn {
  target: PushTarget;
  undo: () => Promise<void>;
}

/**
 * Asks the person whether the console may show notifications, and the browser's push service for an address that takes messages of this
 * console alone. Call it in the press of a button: browsers ask at no other time.
 *
 * @param anew ends the address that the browser has, because the push service takes nothing there any more
 * @throws NotTurnedOn, and what a call throws
 */
export async function turnOn({ anew = false } = {}): Promise<TurnedOn> {
  const reason = whyNot(readBrowserFacts());
  if (reason !== null) throw new NotTurnedOn(reason);
  if ((await Notification.requestPermission()) !== 'granted')
    throw new NotTurnedOn('The browser was not allowed to show notifications of this console.');
  const { key: consoleKey } = await call('GET /api/destinations/push-key');
  if (consoleKey === null)
    throw new NotTurnedOn(
      'The console’s own key for push messages does not open. Its operator starts it again.',
    );
  try {
    await navigator.serviceWorker.register(trustedPath(), { scope: '/', updateViaCache: 'none' });
    const { pushManager } = await readyWorker();
    const present = await pushManager.getSubscription();
    if (present !== null && !anew && keyOf(present) === consoleKey)
      return { target: targetOf(present), undo: async () => undefined };
    if (present !== null) await present.unsubscribe();
    const applicationServerKey = fromBase64url(consoleKey);
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    return { target: targetOf(made), undo: turnOff };
  } catch (error) {
    throw error instanceof NotTurnedOn ? error : new NotTurnedOn(inWords(error));
  }
}

/** `ready` never answers where the worker could not be installed. */
async function readyWorker(): Promise<ServiceWorkerRegistration> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NotTurnedOn(inWords(null))), destinationLimits.workerReadyMs);
  });
  return Promise.race([navigator.serviceWorker.ready, late]).finally(() => clearTimeout(timer));
}

/** What this browser has; null if it was never turned on, or dropped that by itself. */
export async function readSubscription(): Promise<Subscription | null> {
  if (!readBrowserFacts().hasPush) return null;
  const worker = await navigator.serviceWorker.getRegistration('/');
  const subscription = await worker?.pushManager.getSubscription();
  if (!subscription) return null;
  const hash = await crypto.subtle.digest('SHA-256', utf8(subscription.endpoint));
  return { device: toBase64url(new Uint8Array(hash)), key: keyOf(subscription) ?? '' };
}

/** Ends the address, and the worker with it: nothing arrives here any more, from whichever account. */
export async function turnOff(): Promise<void> {
  if (!readBrowserFacts().hasPush) return;
  const worker = await navigator.serviceWorker.getRegistration('/');
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
  await worker?.unregister();
}

function targetOf(subscription: PushSubscription): PushTarget {
  const part = (name: PushEncryptionKeyName) => {
    const bytes = subscription.getKey(name);
    if (bytes === null) throw new NotTurnedOn('This browser encrypts no push messages.');
    return toBase64url(new Uint8Array(bytes));
  };
  return { kind: 'web-push', endpoint: subscription.endpoint, p256dh: part('p256dh'), auth: part('auth') };
}

function keyOf({ options: { applicationServerKey } }: PushSubscription): string | null {
  return applicationServerKey === null ? null : toBase64url(new Uint8Array(applicationServerKey));
}

function inWords(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError')
    return 'The browser does not allow push messages here, as in a private window.';
  if (name === 'AbortError') return 'The push service of this browser could not be reached. Try again later.';
  return 'This browser could not be turned on. Load the page again and try once more.';
}

/** The page requires Trusted Types for script addresses. This policy allows one address only. */
function trustedPath(): string {
  const factory = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes;
  if (!factory) return workerPath;
  policy ??= factory.createPolicy('homeport-service-worker', { createScriptURL: () => workerPath });
  return policy.createScriptURL(workerPath);
}
