import { pathToFileURL } from 'node:url';

// The program of `npm start`, from its built file: `node plane-process.mjs <server.js> <arguments…>`.
const [file = '', ...words] = process.argv.slice(2);
const { main } = await import(pathToFileURL(file).href);
await main(words);
