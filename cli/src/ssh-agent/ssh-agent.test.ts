import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bytes, concat, toBase64 } from '@homeport/signer/bytes';
import type { SignatureAlgorithm } from '@homeport/signer/key-types';
import { readPublicBlob, readPublicKey } from '@homeport/signer/public-key';
import { readWire, string, uint32 } from '@homeport/signer/ssh-wire';
import {
  kexSignature,
  makeTestKey,
  newSession,
  type TestKey,
  userauth,
} from '@homeport/signer/userauth-fixtures';
import { verify } from '@homeport/signer/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSshAgent, type TestAgent } from '../testing/ssh-agent.ts';
import { AgentGone, mostFrameBytes } from './agent-frames.ts';
import { listKeys, type SignWith, signByAgent } from './ssh-agent.ts';

const never = new AbortController().signal;
let host: TestKey;
let otherHost: TestKey;
beforeAll(async () => {
  [host, otherHost] = await Promise.all([makeTestKey('ssh-ed25519'), makeTestKey('ssh-ed25519')]);
});

/** What a login at `at` as `user` has an agent sign. */
async function login(
  publicLine: string,
  {
    algorithm = 'ssh-ed25519',
    at = host,
    user = 'homeport',
  }: { algorithm?: SignatureAlgorithm; at?: TestKey; user?: string } = {},
): Promise<SignWith> {
  const sessionId = newSession();
  const { blob: publicKey } = readPublicKey(publicLine);
  const data = userauth(
    {
      ...{ session: sessionId, message: 50, user, service: 'ssh-connection' },
      ...{ method: 'publickey-hostbound-v00@openssh.com', flag: 1, algorithm, blob: publicKey },
    },
    string(at.blob),
  );
  const proof = await kexSignature(at, 'ssh-ed25519', sessionId);
  return { publicKey, algorithm, data, host: { hostKey: at.blob, sessionId, kexSignature: proof } };
}

describe('with OpenSSH’s ssh-agent', () => {
  let agent: TestAgent;
  beforeAll(async () => {
    agent = await startSshAgent();
  });
  afterAll(() => agent?.[Symbol.asyncDispose]());

  it.each([
    ['ed25519', 'ssh-ed25519'],
    ['ecdsa', 'ecdsa-sha2-nistp256'],
    ['rsa', 'rsa-sha2-256'],
    ['rsa', 'rsa-sha2-512'],
  ] as const)('an %s key signs with %s, and is listed', async (type, algorithm) => {
    const key = agent.makeKey(type, `${type}-${algorithm}`);
    key.add();
    const asked = await login(key.publicLine, { algorithm });
    expect((await listKeys(agent.path, never)).map(toBase64)).toContain(toBase64(asked.publicKey));
    const { signature, bound } = await signByAgent(agent.path, asked, never);
    expect(bound).toBe(true);
    const { jwk } = readPublicBlob(asked.publicKey);
    expect(await verify(jwk, algorithm, signature ?? new Uint8Array(), asked.data)).toBe(true);
  });

  it('a key that the agent does not hold is refused', async () => {
    const asked = await login(agent.makeKey('ed25519', 'absent').publicLine);
    expect((await signByAgent(agent.path, asked, never)).signature).toBeNull();
  });

  it('a binding to a host that did not sign the session is not taken', async () => {
    const key = agent.makeKey('ed25519', 'unbound');
    key.add();
    const asked = await login(key.publicLine);
    const forged = { ...asked, host: { ...asked.host, hostKey: otherHost.blob } };
    expect((await signByAgent(agent.path, forged, never)).bound).toBe(false);
  });

  it('a key for one account on one server signs there, and nowhere else', async () => {
    const key = agent.makeKey('ed25519', 'guarded');
    const known = join(agent.folder, 'known_hosts');
    writeFileSync(known, `a.example ssh-ed25519 ${toBase64(host.blob)}\n`);
    key.add('-H', known, '-h', 'homeport@a.example');
    const signed = async (where: Parameters<typeof login>[1]) =>
      (await signByAgent(agent.path, await login(key.publicLine, where), never)).signature !== null;
    expect(await signed({})).toBe(true);
    expect(await signed({ user: 'root' })).toBe(false);
    expect(await signed({ at: otherHost })).toBe(false);
    const [here, there] = [await login(key.publicLine), await login(key.publicLine, { at: otherHost })];
    expect((await signByAgent(agent.path, { ...there, host: here.host }, never)).signature).toBeNull();
  });
});

it.each([
  [true, 'signs once its person agrees'],
  [false, 'signs nothing that its person declines'],
])('a key that was added with -c (%s) %s', async (agrees) => {
  await using agent = await startSshAgent(agrees);
  const key = agent.makeKey('ed25519');
  key.add('-c');
  const { signature } = await signByAgent(agent.path, await login(key.publicLine), never);
  expect(signature !== null).toBe(agrees);
});

it('an agent that has ended is told in words', async () => {
  await using agent = await startSshAgent();
  await agent.kill();
  await expect(listKeys(agent.path, never)).rejects.toThrow(/does not answer|ENOENT|ECONNREFUSED/);
});

describe('an agent that is not OpenSSH’s', () => {
  /** Answers each question with what the test says; null closes the socket. */
  async function startPretender(answer: (question: Bytes, socket: Socket) => Uint8Array | null) {
    const folder = mkdtempSync(join(tmpdir(), 'homeport-pretender-'));
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (part) => {
        const reply = answer(new Uint8Array(part).slice(4), socket);
        if (reply) socket.write(reply);
        else socket.destroy();
      });
    });
    const path = join(folder, 'socket');
    await new Promise<void>((resolve) => server.listen(path, resolve));
    return {
      path,
      async [Symbol.asyncDispose]() {
        await new Promise((resolve) => server.close(resolve));
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
  const framed = (message: Uint8Array) => concat(uint32(message.length), message);
  const mine = async () => login(`ssh-ed25519 ${toBase64((await makeTestKey('ssh-ed25519')).blob)}`);

  it('and does not know bindings still signs, and says that it guards nothing', async () => {
    const signature = new Uint8Array(64).fill(7);
    const answer = concat(Uint8Array.of(14), string(concat(string('ssh-ed25519'), string(signature))));
    await using old = await startPretender((question) =>
      framed(question[0] === 27 ? Uint8Array.of(5) : answer),
    );
    expect(await signByAgent(old.path, await mine(), never)).toEqual({ signature, bound: false });
  });

  it('and goes away in the middle ends the signature', async () => {
    await using gone = await startPretender((question) =>
      question[0] === 27 ? framed(Uint8Array.of(6)) : null,
    );
    await expect(signByAgent(gone.path, await mine(), never)).rejects.toThrow(AgentGone);
  });

  it.each([
    ['a longer message than any', concat(uint32(mostFrameBytes + 1), Uint8Array.of(12))],
    ['an empty message', uint32(0)],
    ['two answers', concat(framed(Uint8Array.of(5)), framed(Uint8Array.of(5)))],
    ['a list that ends too soon', framed(concat(Uint8Array.of(12), uint32(3), string('x')))],
    ['a list without end', framed(concat(Uint8Array.of(12), uint32(4_000_000_000)))],
    ['another answer', framed(Uint8Array.of(5))],
  ])('and sends %s is left', async (_what, answer) => {
    await using wrong = await startPretender(() => answer);
    await expect(listKeys(wrong.path, never)).rejects.toThrow(AgentGone);
  });

  it('and signs with another algorithm is refused', async () => {
    const answer = concat(Uint8Array.of(14), string(concat(string('ssh-rsa'), string(new Uint8Array(64)))));
    await using weak = await startPretender((question) =>
      framed(question[0] === 27 ? Uint8Array.of(6) : answer),
    );
    await expect(signByAgent(weak.path, await mine(), never)).rejects.toThrow(/another algorithm/);
  });

  it('and says nothing is left at Ctrl-C', async () => {
    const stop = new AbortController();
    await using silent = await startPretender(() => {
      stop.abort();
      return new Uint8Array();
    });
    await expect(listKeys(silent.path, stop.signal)).rejects.toThrow('Interrupted.');
  });

  it('gets whole messages with their length', async () => {
    const asked: number[] = [];
    await using list = await startPretender((question) => {
      asked.push(readWire(question).byte());
      return framed(concat(Uint8Array.of(12), uint32(0)));
    });
    expect(await listKeys(list.path, never)).toEqual([]);
    expect(asked).toEqual([11]);
  });
});
