import { messages } from '@homeport/contract/messages';
import { Link } from '@tanstack/react-router';
import { useApi } from '../data/use-api.ts';
import { Banner } from '../ui/feedback/Banner.tsx';

/** Without a linked Cloudflare account, a person types the domain and adds the DNS records by hand. */
export function NoCloudflare() {
  const zones = useApi('GET /api/zones').data;
  if (zones?.linked !== false) return null;
  return (
    <Banner tone="warn">
      <p>
        {messages.noCloudflare} <Link to="/profile">Link an account in your profile</Link>
      </p>
    </Banner>
  );
}
