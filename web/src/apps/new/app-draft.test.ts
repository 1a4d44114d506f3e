import { describe, expect, it } from 'vitest';
import { emptyDraft, readDraft } from './app-draft.ts';

const draft = { ...emptyDraft, name: ' ledger ', serverId: 's', keyIds: ['k'] };

describe('the form of a new app', () => {
  it('names everything that is missing at once', () => {
    expect(readDraft({ ...emptyDraft, keyIds: [], https: true })).toEqual({
      ok: false,
      problems: {
        name: 'Enter a name.',
        serverId: 'Choose a server.',
        keyIds: 'Choose at least one key.',
        httpsEmail: 'Enter an e-mail address.',
      },
    });
  });
  it('asks for plan 3 and no HTTPS unless told otherwise', () => {
    expect(readDraft(draft)).toEqual({
      ok: true,
      body: { name: 'ledger', serverId: 's', plan: 3, keyIds: ['k'] },
    });
  });
  it('sends the e-mail address only with HTTPS on', () => {
    const withEmail = { ...draft, httpsEmail: ' ines@northquay.example ' };
    expect(readDraft(withEmail)).not.toHaveProperty('body.httpsEmail');
    expect(readDraft({ ...withEmail, https: true })).toHaveProperty(
      'body.httpsEmail',
      'ines@northquay.example',
    );
  });
});
