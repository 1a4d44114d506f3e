import { describe, expect, it } from 'vitest';
import { readDotenv } from './read-dotenv.ts';

const read = (text: string) => Object.fromEntries(readDotenv(text).values);

describe('reading a .env file', () => {
  it('takes plain values trimmed, and leaves comments and empty lines out', () => {
    expect(read('# mail\nMAIL_FROM = desk@example.com  # who\n\nexport MODE=production\nEMPTY=\n')).toEqual({
      MAIL_FROM: 'desk@example.com',
      MODE: 'production',
      EMPTY: '',
    });
  });
  it('keeps a # inside a value, as in a colour or an address', () => {
    expect(read('COLOUR=a#b\nLINK=https://example.com/#top')).toEqual({
      COLOUR: 'a#b',
      LINK: 'https://example.com/#top',
    });
  });
  it('keeps text in single quotes unchanged, and reads escapes in double quotes', () => {
    expect(read(`${String.raw`A='x\n # y'`}\n${String.raw`B="x\n\"y\" \\ $HOME"`}`)).toEqual({
      A: String.raw`x\n # y`,
      B: 'x\n"y" \\ $HOME',
    });
  });
  it('keeps values of several lines exactly', () => {
    const key = '-----BEGIN KEY-----\n  aGk=\n\n-----END KEY-----';
    expect(read(`A=1\nKEY="${key}"\nB=2`)).toEqual({ A: '1', KEY: key, B: '2' });
  });
  it('names the lines that are no variable, and reads on after them', () => {
    const { values, badLines } = readDotenv('A=1\r\nnonsense\r\n2B=3\r\nC="never ends\r\nD=4');
    expect(Object.fromEntries(values)).toEqual({ A: '1', D: '4' });
    expect(badLines).toEqual([2, 3, 4]);
  });
  it('takes the last of two assignments', () => {
    expect(read('A=1\nA=2')).toEqual({ A: '2' });
  });
  it('takes a key that every object has like any other key', () => {
    expect([...readDotenv('__proto__=x').values]).toEqual([['__proto__', 'x']]);
  });
});
