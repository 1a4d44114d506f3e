import type { FastifyInstance } from 'fastify';

/**
 * The policy of every answer. A script in the page can sign for the length of the visit, so only files of this origin may run.
 * Strings become script only through the three named policies: the key reader's worker, the worker that shows news, and the sanitiser of readmes.
 * https://www.w3.org/TR/CSP3/, https://www.w3.org/TR/trusted-types/
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types homeport-key-worker homeport-service-worker dompurify',
].join('; ');

/** Puts the policy on every answer, errors included. */
export function addArmour(fastify: FastifyInstance, publicUrl: string): void {
  const headers = {
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  };
  fastify.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
}
