import {
  linkServer,
  type SandboxServer,
  signUp,
  startSandboxServer,
  type TestLink,
  type TestVisitor,
} from '@homeport/api/testing';
import { freePort } from '@homeport/contract/testing';
import { type ConsoleProcess, startConsoleProcess } from './console-process.ts';

export type LinkedProcess = AsyncDisposable &
  TestLink & {
    url: string;
    host: SandboxServer;
    /** Signed in, and the owner of the server. */
    ines: TestVisitor;
    /** The console that runs, or ran last. */
    readonly console: ConsoleProcess;
    /** Starts the console again once it has ended, on the same data folder and address. */
    startAgain(): Promise<void>;
  };

/**
 * The built console in a process of its own, and a host with the Dokku sandbox. Ines has linked the host and is connected to it.
 * `pace` is the host's time, as a part of a real host's.
 */
export async function startLinkedProcess(
  dataFolder: string,
  { only, pace }: { only: string; pace: number },
): Promise<LinkedProcess> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const start = () => startConsoleProcess(['--data', dataFolder, '--only', only, '--port', port]);
  const host = await startSandboxServer({ pace });
  let console = start();
  const dispose = async () => {
    console.child.kill('SIGTERM');
    await console.ended;
    await host[Symbol.asyncDispose]();
  };
  try {
    await console.ready();
    const ines = await signUp(url, 'ines');
    const link = await linkServer(url, ines, host);
    await link.connect();
    return {
      url,
      host,
      ines,
      ...link,
      get console() {
        return console;
      },
      async startAgain() {
        console = start();
        await console.ready();
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
