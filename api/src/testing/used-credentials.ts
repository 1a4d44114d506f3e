import { randomBytes } from 'node:crypto';
import {
  type CloudflareProcess,
  type GithubProcess,
  startCloudflare,
  startGithub,
} from '@homeport/stand-ins/testing';
import { bodyOf, signUp, type TestVisitor } from '../http/testing.ts';
import { linkGithub } from './github.ts';
import { type HeapConsole, startHeapConsole } from './heap-console.ts';

export type UsedCredentials = AsyncDisposable &
  Pick<HeapConsole, 'countInHeap'> & {
    cloudflare: string;
    github: string;
    /** When the last request with one of them was answered, as epoch milliseconds. */
    usedAt: number;
  };

/** Links an account of each service on a console in a process of its own, and has the console use both credentials. */
export async function useCredentials(): Promise<UsedCredentials> {
  const cloudflare = await startCloudflare();
  const github = await startGithub();
  const console = await startHeapConsole({ cloudflareUrl: cloudflare.url, github });
  const dispose = async () => {
    await console[Symbol.asyncDispose]();
    await github[Symbol.asyncDispose]();
    await cloudflare[Symbol.asyncDispose]();
  };
  try {
    const ines = await signUp(console.url, 'ines');
    return {
      cloudflare: await useCloudflare(cloudflare, ines),
      github: await useGithub(github, ines),
      usedAt: Date.now(),
      countInHeap: console.countInHeap,
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function useCloudflare(cloudflare: CloudflareProcess, ines: TestVisitor): Promise<string> {
  const zone = await cloudflare.addZone('northquay.example');
  const secret = `cfut_${randomBytes(24).toString('hex')}`;
  await cloudflare.grant({ secret });
  const record = { type: 'TXT', host: 'www', content: 'ahoy', ttl: 1 };
  bodyOf(await ines.call('PUT /api/zones/account', { secret }), 200);
  bodyOf(await ines.call(`GET /api/zones/${zone}/records`), 200);
  bodyOf(await ines.call(`POST /api/zones/${zone}/records`, { record }), 201);
  return secret;
}

async function useGithub(github: GithubProcess, ines: TestVisitor): Promise<string> {
  const octo = await github.addPerson('octo');
  await github.addRepository({ owner: octo.login, name: 'ledger', private: true });
  bodyOf(await linkGithub(ines, octo), 200);
  bodyOf(await ines.call('POST /api/github/repositories/refresh'), 200);
  bodyOf(await ines.call('GET /api/github'), 200);
  const [grant] = await github.grants();
  if (!grant) throw new Error('GitHub gave no token.');
  return grant.token;
}
