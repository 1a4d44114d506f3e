import { z } from 'zod';

/** The services that the demo has a stand-in for, each in a process of its own. */
export type StandInName = 'cloudflare' | 'github';

/** The token that the demo's Cloudflare takes. It opens nothing anywhere else. */
export const demoToken = 'cfut_demo_of_homeport_0000000000000000000000000000000000';

/** The access token that the demo's GitHub takes, in the place of one that a person made there. */
export const demoGithubToken = 'ghp_demo_of_homeport_00000000000000000000';

/** What the process of a stand-in tells the console once it answers. `app`: GitHub's OAuth app. */
export const standInReportSchema = z.object({
  url: z.url(),
  app: z.object({ clientId: z.string(), clientSecret: z.string() }).nullable(),
});
export type StandInReport = z.output<typeof standInReportSchema>;
