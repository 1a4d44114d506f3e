import { randomUUID } from 'node:crypto';
import { type Credential, OpeningError, type Prompter, type Signer } from '@homeport/ssh';
import type { PageChannel } from './page-channel.ts';

/**
 * The credential that the page holds, in the form that the ssh room asks for: a key that signs, or a person
 * who types.
 */
export function pageCredential(
  page: PageChannel,
  opening:
    | { openId: string; method: 'agent'; publicKeyBlob: Buffer }
    | { openId: string; method: 'password' },
): Credential {
  if (opening.method === 'password') return { method: 'password', prompter: pagePrompter(page) };
  return { method: 'agent', signer: pageSigner(page, opening.openId, opening.publicKeyBlob) };
}

function pageSigner(page: PageChannel, openId: string, publicKeyBlob: Buffer): Signer {
  return {
    publicKeyBlob,
    async sign({ data, hostKey, kexSignature }, signal) {
      const requestId = randomUUID();
      page.send({
        type: 'sign',
        openId,
        requestId,
        data: data.toString('base64'),
        hostKey: hostKey.toString('base64'),
        kexSignature: kexSignature.toString('base64'),
      });
      const answer = await page.next((from) => {
        if (Buffer.isBuffer(from)) return null;
        const fits = from.type === 'signed' || from.type === 'refused';
        return fits && from.requestId === requestId ? from : null;
      }, signal);
      if (answer.type === 'signed') return Buffer.from(answer.signature, 'base64');
      throw new OpeningError({ code: 'agent_refused', message: `The page refused to sign: ${answer.code}.` });
    },
  };
}

function pagePrompter(page: PageChannel): Prompter {
  return {
    password(signal) {
      page.send({ type: 'prompt', requestId: randomUUID(), kind: 'password', prompts: [] });
      return page.next((from) => (Buffer.isBuffer(from) && from.length > 0 ? from : null), signal);
    },
    interactive(prompts, signal) {
      const requestId = randomUUID();
      page.send({ type: 'prompt', requestId, kind: 'interactive', prompts });
      return page.next((from) => {
        if (Buffer.isBuffer(from) || from.type !== 'answers' || from.requestId !== requestId) return null;
        return from.answers.length === prompts.length ? from.answers : null;
      }, signal);
    },
  };
}
