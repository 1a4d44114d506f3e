import { messages } from '@homeport/contract/messages';
import { Link } from '@tanstack/react-router';
import { Banner } from '../ui/feedback/Banner.tsx';

/** Without a linked Cloudflare account, a person types the domain and adds the DNS records by hand. */
export function NoCloudflare() {
  return (
    <Banner tone="warn">
      <p>
        {messages.noCloudflare} <Link to="/profile">Link an account in your profile</Link>
      </p>
    </Banner>
  );
}
