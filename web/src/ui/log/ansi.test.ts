import { describe, expect, it } from 'vitest';
import { parseAnsi, plainText } from './ansi.ts';

const e = '\u001b[';

describe('a line with colour codes', () => {
  it('becomes stretches of text with the name of their colour', () => {
    expect(parseAnsi(`${e}36m----->${e}0m Creating`)).toEqual([
      { text: '----->', look: 'cyan' },
      { text: ' Creating', look: '' },
    ]);
  });
  it('shares the eight colours between normal and bright', () => {
    expect(parseAnsi(`${e}31ma${e}91mb`)).toEqual([{ text: 'ab', look: 'red' }]);
  });
  it('keeps bold, dim and underline until they are ended', () => {
    expect(parseAnsi(`${e}1;33mbold${e}22m plain${e}4m under`)).toEqual([
      { text: 'bold', look: 'yellow bold' },
      { text: ' plain', look: 'yellow' },
      { text: ' under', look: 'yellow underlined' },
    ]);
  });
  it('drops colours outside the sixteen together with their parameters', () => {
    expect(parseAnsi(`${e}38;5;1mx${e}48;2;1;2;3my`)).toEqual([{ text: 'xy', look: '' }]);
  });
});

describe('a line as a terminal shows it', () => {
  it('is rewritten from the start by a carriage return', () => {
    expect(plainText('Pulling 10 %\rPulling 100 %')).toBe('Pulling 100 %');
    expect(plainText('abcdef\rxy')).toBe('xycdef');
  });
  it('loses what an erase code erases', () => {
    expect(plainText(`abcdef\rxy${e}K`)).toBe('xy');
    expect(plainText(`abcdef${e}2Kz`)).toBe('      z');
  });
  it('shows no other control code: cursor moves, titles, bells', () => {
    expect(plainText(`a${e}2Ab\u001b]0;title\u0007c\u0007d\u001b(Be`)).toBe('abcde');
  });
  it('keeps tabs and characters outside the basic plane', () => {
    expect(plainText(`\ta${e}32m🚢${e}0m`)).toBe('\ta🚢');
  });
  it('treats markup as text', () => {
    expect(parseAnsi('<b>x</b>')).toEqual([{ text: '<b>x</b>', look: '' }]);
  });
});
