import { expect, test } from 'vitest';
import { webAddressProblem } from './web-address.ts';

test.each([
  'https://hooks.example.com/a?b=c',
  'http://192.0.2.7:8080/',
  'https://[2001:db8::1]/x',
  'http://hooks.example.com:80/',
])('takes %s', (text) => {
  expect(webAddressProblem(text)).toBeNull();
});

test.each([
  ['', /^Enter a web address/],
  ['hooks', /^Enter a web address/],
  ['//hooks.example.com', /^Enter a web address/],
  ['ftp://hooks.example.com/', /begins with/],
  ['javascript:alert(1)', /begins with/],
  ['file:///etc/passwd', /begins with/],
  ['https://ada:secret@hooks.example.com/', /user name/],
  ['https://hooks.example.com/#part', /behind #/],
  ['http://hooks.example.com:25/', /port 25\./],
  ['http://hooks.example.com:1023/', /port 1023\./],
])('refuses %s', (text, words) => {
  expect(webAddressProblem(text)).toMatch(words);
});
