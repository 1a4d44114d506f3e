import { databaseMemoryMb } from '@homeport/contract/databases/facts';
import { describe, expect, it } from 'vitest';
import { emptyDraft, readDraft } from './database-draft.ts';

const present = { kind: 'present', version: '1.41.0', imageVersion: '17.2' } as const;
const missing = { kind: 'missing', installer: 'root' } as const;
const draft = { ...emptyDraft, name: ' ledger ', type: 'postgres', serverId: 's' } as const;
const problemsOf = (part: object, need: Parameters<typeof readDraft>[1] = present) => {
  const reading = readDraft({ ...draft, ...part }, need);
  return reading.ok ? {} : reading.problems;
};

describe('the form of a new database', () => {
  it('names everything that is missing at once', () => {
    expect(readDraft(emptyDraft, missing)).toEqual({
      ok: false,
      problems: {
        name: 'Enter a name.',
        type: 'Choose a type.',
        serverId: 'Choose a server.',
        installPlugin: 'Agree to the installation, or choose another server.',
      },
    });
  });

  it('leaves version and memory to the plugin unless told otherwise', () => {
    expect(readDraft(draft, present)).toEqual({
      ok: true,
      body: { name: 'ledger', type: 'postgres', serverId: 's', installPlugin: false },
    });
    expect(readDraft({ ...draft, imageVersion: ' 17.2 ', memoryMb: ' 512 ' }, present)).toMatchObject({
      body: { imageVersion: '17.2', memoryMb: 512 },
    });
  });

  it.each(['-rm', '18 && id', '18:4', '../18', '$(id)'])('refuses the version %s', (imageVersion) => {
    expect(problemsOf({ imageVersion })).toHaveProperty('imageVersion');
  });

  it('takes memory between the bounds, as a whole number', () => {
    const { least, most } = databaseMemoryMb;
    for (const memoryMb of [least, most]) expect(problemsOf({ memoryMb: `${memoryMb}` })).toEqual({});
    for (const memoryMb of [`${least - 1}`, `${most + 1}`, '1.5', '-512', '1e3', 'half'])
      expect(problemsOf({ memoryMb })).toHaveProperty('memoryMb');
  });

  it('asks for consent where the plugin is missing, and sends none where it is present', () => {
    expect(problemsOf({}, missing)).toHaveProperty('installPlugin');
    expect(readDraft({ ...draft, installPlugin: true }, missing)).toMatchObject({
      body: { installPlugin: true },
    });
    expect(readDraft({ ...draft, installPlugin: true }, present)).toMatchObject({
      body: { installPlugin: false },
    });
  });

  it('refuses a server without the plugin and without an account that can install it', () => {
    expect(problemsOf({ installPlugin: true }, { kind: 'refused' })).toHaveProperty('installPlugin');
  });

  it('sends the consent along while nobody knows whether the plugin is there', () => {
    expect(readDraft({ ...draft, installPlugin: true }, { kind: 'unknown' })).toMatchObject({
      body: { installPlugin: true },
    });
  });
});
