import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { Client } from 'ssh2';

/**
 * The least that a program on Node can do between a browser and sshd, as the peer of the console: `bare-pipe.ts <host> <port>
 * <user> <key file> <file>`. GET answers with `cat` of the file, PUT feeds its body to `cat` into another
 * one, and to the disk. No checks, no checksum, ssh2's own windows. Prints its port when it listens.
 */
/** With Node's 16 KiB a download would pause at each packet. */
const roomBytes = 256 * 1024;
const [host = '', port = '', username = '', key = '', file = ''] = process.argv.slice(2);

const client = new Client();
client.on('ready', () => {
  // ssh2 writes a packet in three pieces. With Nagle's delay the second one would wait for sshd's delayed acknowledgement, 40 ms
  // for each window.
  client.setNoDelay(true);
  const server = createServer({ highWaterMark: roomBytes }, (request, answer) => {
    const sends = request.method === 'PUT';
    client.exec(sends ? `cat > ${file}.bare && sync ${file}.bare` : `cat ${file}`, (error, channel) => {
      if (error) throw error;
      if (sends) {
        request.pipe(channel);
        channel.resume();
        channel.on('close', () => answer.end());
      } else {
        answer.setHeader('content-length', statSync(file).size);
        channel.pipe(answer);
      }
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') process.stdout.write(`${address.port}\n`);
  });
});
client.connect({
  host,
  port: Number(port),
  username,
  privateKey: readFileSync(key),
  algorithms: { cipher: ['aes128-gcm@openssh.com'] },
});
