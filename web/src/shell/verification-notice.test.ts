import { expect, test } from 'vitest';
import { verificationNotice } from './verification-notice.ts';

const email = 'ines@northquay.example';

test('with a mail server the message was sent', () => {
  for (const owner of [true, false])
    expect(verificationNotice(email, { owner, mailConfigured: true })).toMatchObject({
      text: 'We sent a verification e-mail to ines@northquay.example.',
      outbox: false,
    });
});

test('without a mail server nothing was sent: the owner is led to the outbox, anybody else to the owner', () => {
  const owners = verificationNotice(email, { owner: true, mailConfigured: false });
  const others = verificationNotice(email, { owner: false, mailConfigured: false });
  for (const { text, done } of [owners, others]) expect(`${text} ${done}`).not.toMatch(/\bsent\b/);
  expect(owners).toMatchObject({ outbox: true, text: expect.stringContaining('terminal') });
  expect(others).toMatchObject({ outbox: false, text: expect.stringContaining('Its owner') });
});
