import { describe, expect, it } from 'vitest';
import { addServerForm, emptyForm, linkedAs, mayNotReport } from './add-server-form.ts';

const key = 'a'.repeat(32);
const typed = { ...emptyForm, name: ' mole-two ', ip: ' 198.51.100.140 ', credential: key };

const errorsOf = (values: Record<string, unknown>) => {
  const read = addServerForm.safeParse({ ...typed, ...values });
  return read.success
    ? {}
    : Object.fromEntries(read.error.issues.map(({ path, message }) => [path[0], message]));
};

describe('the form of a new server', () => {
  it('fills in root and port 22, and takes the spaces away', () => {
    expect(addServerForm.parse({ ...typed, port: '' })).toEqual({
      name: 'mole-two',
      ip: '198.51.100.140',
      port: 22,
      username: 'root',
      credential: key,
      subdomain: '',
      installDokku: true,
      otherMachine: false,
    });
  });

  it('keeps an IPv6 address and a host name in one spelling', () => {
    expect(addServerForm.parse({ ...typed, ip: ' Mole.Example. ' }).ip).toBe('mole.example');
    expect(addServerForm.parse({ ...typed, ip: '2001:DB8::0:1' }).ip).toBe('2001:db8::1');
  });

  it('needs a name, an address and a credential', () => {
    expect(errorsOf({ name: ' ', ip: 'mole', credential: '' })).toEqual({
      name: 'Enter a name.',
      ip: 'Enter an IPv4 address such as 203.0.113.24, an IPv6 address or a host name.',
      credential: 'Choose one of your keys, Password, or None.',
    });
  });

  it('lower-cases a subdomain and takes letters and digits only', () => {
    expect(addServerForm.parse({ ...typed, subdomain: ' LanTern7 ' }).subdomain).toBe('lantern7');
    expect(errorsOf({ subdomain: 'lan-tern' })).toEqual({
      subdomain: 'Subdomains should only include letters and numbers',
    });
  });

  it.each(['0', '65536', '-1', '22a', '1e3', '123456'])('refuses the port %s', (port) => {
    expect(errorsOf({ port })).toEqual({ port: 'A port is between 1 and 65535.' });
  });

  it('refuses an invalid user name', () => {
    expect(errorsOf({ username: '-oProxyCommand=x' })).toHaveProperty('username');
  });
});

it('warns that other machines cannot reach the console, but not for this machine', () => {
  expect(mayNotReport('198.51.100.140', null)).toBe(true);
  expect(mayNotReport('127.0.0.1', null)).toBe(false);
  expect(mayNotReport('198.51.100.140', 'https://console.example')).toBe(false);
  expect(mayNotReport('198.51', null)).toBe(false);
});

describe('an address that is linked already', () => {
  const [web, tunnel] = [
    { name: 'web', ip: '198.51.100.140', port: 22 },
    { name: 'tunnel', ip: '127.0.0.1', port: 2022 },
  ];
  const linked = (ip: string, port: string) => linkedAs({ ip, port }, [web, tunnel]);

  it('is recognised on its own port and on any other', () => {
    expect(linked(' 198.51.100.140 ', '')).toEqual({ server: web, samePort: true });
    expect(linked('198.51.100.140', '2222')).toEqual({ server: web, samePort: false });
    expect(linked('198.51.100.141', '22')).toBeNull();
    expect(linked('::ffff:198.51.100.140', '22')).toEqual({ server: web, samePort: true });
  });

  it('is recognised on its own port only where it is the loopback address of tunnels', () => {
    expect(linked('127.0.0.1', '2022')).toEqual({ server: tunnel, samePort: true });
    expect(linked('127.0.0.1', '2023')).toBeNull();
  });
});
