import { addRepository, type GithubStandIn, startGithub } from '@homeport/stand-ins/github';
import { demoGithubToken } from './stand-in-report.ts';

/** The person of the demo's GitHub. The number stays, so that the account is found again after a new start. */
const octo = {
  id: 583_231,
  login: 'octo-lantern',
  name: 'Octo Lantern',
  emails: [{ email: 'octo@lantern.example', primary: true, verified: true }],
};

const page = '<!doctype html>\n<meta charset="utf-8">\n<title>Tides</title>\n<p>High water at 04:12.</p>\n';

/**
 * Starts a stand-in for GitHub with one person and two repositories. Whoever is linked there is known by the address of GitHub too, so
 * each start takes the same port, and another only where that one is taken.
 */
export async function startDemoGithub(port: number): Promise<GithubStandIn> {
  const standIn = await startGithub({ port }).catch(() => startGithub());
  const { state } = standIn;
  state.people.push(octo);
  // The scopes that the page of a classic token is asked for.
  state.grants.set(demoGithubToken, { person: octo, scopes: ['repo', 'workflow'] });
  addRepository(state, {
    owner: octo,
    name: 'tides',
    language: 'HTML',
    description: 'A page with the tides of the harbour. Public: a server can fetch it.',
    files: { 'index.html': page, 'README.md': '# Tides\n\nHigh water, low water.\n' },
  });
  addRepository(state, {
    owner: octo,
    name: 'ledger',
    private: true,
    language: 'HTML',
    description: 'The books of the harbour. Private.',
    files: { 'index.html': page.replace('Tides', 'Ledger'), 'README.md': '# Ledger\n' },
  });
  return standIn;
}
