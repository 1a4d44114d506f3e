import { renameSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

// The program of `npm start`, from its built file: `node plane-process.mjs <server.js> <arguments…>`. At SIGUSR2 it collects what is
// free, where the flag `--expose-gc` lets it, and writes what it holds into the file of BENCH_MEMORY_FILE.
const memoryFile = process.env.BENCH_MEMORY_FILE;
if (memoryFile)
  process.on('SIGUSR2', () => {
    const { rss } = process.memoryUsage();
    globalThis.gc?.();
    writeFileSync(`${memoryFile}.new`, JSON.stringify({ rss, heapUsed: process.memoryUsage().heapUsed }));
    renameSync(`${memoryFile}.new`, memoryFile);
  });
const [file = '', ...words] = process.argv.slice(2);
const { main } = await import(pathToFileURL(file).href);
await main(words);
