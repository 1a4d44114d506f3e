import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type Mail = {
  to: string[];
  text: string;
  /** By name in lower case, each without its line breaks. */
  headers: Record<string, string>;
};

/** What the server does with a mail: null takes it, a text with its code refuses it. */
type Answer = { code: number; text: string } | null;

/** A real SMTP server on loopback that keeps its messages. `answer` may take its time. */
export async function startMailServer(answer: (mail: Mail) => Answer | Promise<Answer> = () => null) {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const mail = { to, text, headers: headersOf(raw) };
        const refusal = await answer(mail);
        if (refusal) return done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
        mails.push(mail);
        done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(resolve));
  return { mails, url: `smtp://127.0.0.1:${port}`, close };
}

/** RFC 5322, 2.2.3: a line that begins with white space goes on with the one before. */
function headersOf(raw: string): Record<string, string> {
  const [head = ''] = raw.split('\r\n\r\n');
  const lines = head.replaceAll('\r\n ', ' ').replaceAll('\r\n\t', ' ').split('\r\n');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
}
