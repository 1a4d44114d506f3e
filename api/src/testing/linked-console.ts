import { startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { linkServer, type TestLink } from './link-server.ts';
import { type SandboxServer, startSandboxServer } from './sandbox-host.ts';

export type LinkedConsole = AsyncDisposable &
  TestLink & {
    api: TestApi;
    host: SandboxServer;
    /** Signed in, and the owner of the server. */
    ines: TestPerson;
  };

/** The whole api and a host with the Dokku sandbox. Ines has linked the host and is connected to it. */
export async function startLinkedConsole(
  options?: Parameters<typeof startSandboxServer>[0],
  changes?: Parameters<typeof startTestApi>[0],
  given?: Parameters<typeof startTestApi>[1],
): Promise<LinkedConsole> {
  const api = await startTestApi(changes, given);
  const host = await startSandboxServer(options);
  const dispose = async () => {
    await host[Symbol.asyncDispose]();
    await api[Symbol.asyncDispose]();
  };
  try {
    const ines = await api.signUp('ines');
    const link = await linkServer(api.url, ines, host);
    await link.connect();
    return { api, host, ines, ...link, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
