import { builds } from '@homeport/dokku';
import { describe, expect, it } from 'vitest';
import { newsOf } from './watch-deploys.ts';

type Status = 'never' | 'deploying' | 'succeeded' | 'failed';

/** The ids of two deploys, as Dokku lists them. */
const [first, second] = ['mwq31pz4mbibzl', 'mwq31pz4mbibzm'].map((id) => {
  const record = { id, kind: 'build', source: 'git-hook', started_at: '2026-11-21T07:24:44Z' };
  const stdout = JSON.stringify([{ ...record, display_status: 'succeeded' }]);
  return builds.readList({ exitCode: 0, stdout, stderr: '' })[0]?.id ?? null;
});
const state = (deploy_status: Status, buildId: builds.BuildId | null = null) => ({
  buildId,
  facts: { deploy_status },
});

describe('what the stream of a deploy log has to say', () => {
  it('is nothing of an app without a deploy, whose log is not missing', () => {
    expect(newsOf(state('never'), null, false)).toEqual({ kind: 'none' });
    expect(newsOf(state('never'), null, true)).toEqual({ kind: 'none' });
  });

  it('is once that there is no log where the server keeps no record of its deploys', () => {
    expect(newsOf(state('succeeded'), null, false)).toEqual({ kind: 'empty', build: 'unnamed' });
    expect(newsOf(state('succeeded'), 'unnamed', false)).toEqual({ kind: 'none' });
  });

  it('is the log of a deploy that runs, whoever looks', () => {
    const log = { kind: 'log', build: first, deploying: true };
    expect(newsOf(state('deploying', first), null, false)).toEqual(log);
  });

  it('is the log of a deploy that is over for whoever looks at it', () => {
    const log = { kind: 'log', build: first, deploying: false };
    expect(newsOf(state('failed', first), null, true)).toEqual(log);
  });

  it('is that the log begins anew after a deploy that nobody followed, so that no earlier log stands for it', () => {
    const unread = { kind: 'unread', build: second };
    expect(newsOf(state('succeeded', second), first ?? null, false)).toEqual(unread);
    expect(newsOf(state('succeeded', second), 'unnamed', false)).toEqual(unread);
  });

  it('is nothing more of a deploy that was told of', () => {
    for (const past of [true, false])
      expect(newsOf(state('succeeded', first), first ?? null, past)).toEqual({ kind: 'none' });
  });
});
