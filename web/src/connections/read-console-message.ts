import type { ConsoleMessage } from '@homeport/contract/connections/schema';

type Guards<T> = { [K in keyof T]-?: (value: unknown) => boolean };

/**
 * Reads only the parts of the contract's schema that this page relies on. The validator would be half of what
 * a signed-in page has to load, so this file replaces it. undefined for anything that is not a message of
 * this protocol.
 */
export function readConsoleMessage(text: string): ConsoleMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const guards = guardsOf(value.type);
  const isSound = guards && Object.entries(guards).every(([field, holds]) => holds(value[field]));
  return isSound ? (value as ConsoleMessage) : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const isFingerprint = (value: unknown) => isText(value) && /^SHA256:[A-Za-z0-9+/]{43}$/.test(value);
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isPrompt = (value: unknown) => isRecord(value) && isText(value.text) && typeof value.echo === 'boolean';
const isFingerprints = (value: unknown) =>
  isRecord(value) && isFingerprint(value.pinned) && isFingerprint(value.presented);
const optional = (holds: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || holds(value);

const messageGuards: {
  [Type in ConsoleMessage['type']]: Guards<Omit<Extract<ConsoleMessage, { type: Type }>, 'type'>>;
} = {
  host: { fingerprint: isFingerprint, hostKey: isText, algorithm: isText, address: optional(isText) },
  sign: { openId: isText, requestId: isText, data: isText, hostKey: isText, kexSignature: isText },
  prompt: {
    requestId: isText,
    kind: (value) => value === 'password' || value === 'interactive',
    prompts: (value) => Array.isArray(value) && value.every(isPrompt),
  },
  ready: {
    connectionId: isText,
    idleMs: isNumber,
    expiresAt: isNumber,
    bootId: (value) => value === null || isText(value),
  },
  failed: {
    code: isText,
    message: isText,
    methodsLeft: optional(isTexts),
    fingerprints: optional(isFingerprints),
    address: optional(isText),
  },
};

function guardsOf(type: unknown): Record<string, (value: unknown) => boolean> | undefined {
  return isText(type) && Object.hasOwn(messageGuards, type)
    ? messageGuards[type as ConsoleMessage['type']]
    : undefined;
}
