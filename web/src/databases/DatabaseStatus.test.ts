import { databaseStatuses, databaseStatusText } from '@homeport/contract/databases/health';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DatabaseStatus } from './DatabaseStatus.tsx';

test.each(databaseStatuses)('the badge of %s has the words of the contract, and no others', (status) => {
  for (const boxed of [false, true]) {
    const markup = renderToStaticMarkup(createElement(DatabaseStatus, { status, boxed }));
    expect(markup.replaceAll(/<[^<>]*>/g, '')).toBe(databaseStatusText(status));
  }
});
