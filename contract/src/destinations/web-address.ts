/** Why news cannot be sent to this address, judged by its text; null if it can. The api's gate judges where it leads. */
export function webAddressProblem(text: string): string | null {
  if (!URL.canParse(text)) return 'Enter a web address such as https://hooks.example.com/homeport.';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return 'The address begins with https:// or http://.';
  if (url.username !== '' || url.password !== '') return 'An address with a user name is not taken.';
  if (url.hash !== '') return 'Leave out the part behind #: it would not be sent.';
  if (!opens(url)) return `News is not sent to port ${url.port}. Use 80, 443, or a port from 1024 on.`;
  return null;
}

/** Below 1024 are services that are not the web, some of which take a request for commands. */
const opens = ({ port }: URL) => port === '' || port === '80' || port === '443' || Number(port) >= 1024;
