import { expect, test } from 'vitest';
import { recorded } from '../../testing/transcript.ts';
import { appName, nginx, sites } from '../index.ts';
import { UnreadableOutputError } from '../output.ts';

const app = appName('hello');
/** The form of the text, whose values a real server gave as JSON. */
const text = (values: Record<string, string>) => ({
  exitCode: 0,
  stdout: [
    '=====> hello nginx information',
    ...Object.entries(values).map(([key, value]) => `       ${`Nginx ${key}:`.padEnd(42)}${value}`),
  ].join('\n'),
  stderr: '',
});
const report = JSON.parse(recorded('ports-proxy-nginx', 'nginx report json').stdout) as Record<
  string,
  string
>;
const labelled = Object.fromEntries(
  Object.entries(report).map(([key, value]) => [key.replaceAll('-', ' '), value]),
);

test('the report is read: what is set for the app, and what holds otherwise', () => {
  expect(nginx.readReport(text(labelled))).toEqual({
    uploadLimit: { set: '50m', otherwise: '1m' },
    answerTimeout: { set: null, otherwise: '60s' },
    hsts: { set: null, otherwise: 'true' },
    hstsSeconds: { set: null, otherwise: '15724800' },
    hstsSubdomains: { set: null, otherwise: 'true' },
  });
  expect(nginx.readReport(text({ ...labelled, 'global hsts': 'false' })).hsts).toEqual({
    set: null,
    otherwise: 'false',
  });
});

test('a hostile value is shown on one line and cut', () => {
  const { uploadLimit } = nginx.readReport(
    text({ ...labelled, 'client max body size': `\u202e${'9'.repeat(100)}` }),
  );
  expect(uploadLimit.set).toBe(` ${'9'.repeat(62)}…`);
});

test('an answer without a value is not read', () => {
  const { hsts: _hsts, ...others } = labelled;
  expect(() => nginx.readReport(text(others))).toThrow(UnreadableOutputError);
});

test('values are set as words, and taken off by an empty one', () => {
  const changes = [
    { field: 'hstsSeconds', to: '300' },
    { field: 'uploadLimit', to: null },
  ] as const;
  expect(sites.write(app, changes).words).toEqual([
    ...['homeport:site-write', 'hello', 'hsts-max-age=300', 'client-max-body-size='],
  ]);
});

test('the reason of a refusal is read, and bounded', () => {
  expect(nginx.readRefusal(recorded('ports-proxy-nginx', 'proxy build-config with the broken value'))).toBe(
    '"client_max_body_size" directive invalid value in /home/dokku/one/nginx.conf:51',
  );
  expect(nginx.readRefusal(recorded('ports-proxy-nginx', 'proxy build-config'))).toBeNull();
  const long = nginx.readRefusal({ exitCode: 1, stdout: '', stderr: `x [emerg] 1#1: ${'y'.repeat(1_000)}` });
  expect(long).toHaveLength(300);
});
