import { problemText } from '../data/problem-text.ts';
import { useAct, useApi } from '../data/use-api.ts';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import layout from '../ui/layout/layout.module.css';

/** In the demo: links an account at its stand-ins for Cloudflare and GitHub with one click each. Nothing anywhere else. */
export function DemoAccounts() {
  const demo = useApi('GET /api/configuration').data?.demo;
  return demo && (demo.cloudflareToken !== null || demo.githubToken !== null) ? <Offers {...demo} /> : null;
}

interface Tokens {
  cloudflareToken: string | null;
  githubToken: string | null;
}

function Offers({ cloudflareToken, githubToken }: Tokens) {
  const zones = useApi('GET /api/zones').data;
  const github = useApi('GET /api/github').data;
  const onFailed = (error: Error) => toast.bad(problemText(error));
  const linkCloudflare = useAct('PUT /api/zones/account', { onFailed });
  const linkGithub = useAct('POST /api/github/token', { onFailed });
  const cloudflare = zones?.linked === false ? cloudflareToken : null;
  const hub = github?.account === null ? githubToken : null;
  if (cloudflare === null && hub === null) return null;
  return (
    <Banner
      action={
        <span className={classNames(layout.row, layout.wrap)}>
          {cloudflare !== null && (
            <Button
              size="sm"
              busy={linkCloudflare.isPending}
              busyLabel="Linking"
              onClick={() => linkCloudflare.mutate({ body: { secret: cloudflare } })}
            >
              Link the demo’s Cloudflare
            </Button>
          )}
          {hub !== null && (
            <Button
              size="sm"
              busy={linkGithub.isPending}
              busyLabel="Linking"
              onClick={() => linkGithub.mutate({ body: { token: hub } })}
            >
              Link the demo’s GitHub
            </Button>
          )}
        </span>
      }
    >
      <p>The demo has stand-ins for Cloudflare and GitHub, which reach nobody.</p>
    </Banner>
  );
}
