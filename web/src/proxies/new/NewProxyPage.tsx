import { Link } from '@tanstack/react-router';
import { Page } from '../../page-frame/Page.tsx';
import layout from '../../ui/layout/layout.module.css';
import { NoCloudflare } from '../NoCloudflare.tsx';
import { NewProxyForm } from './NewProxyForm.tsx';

export function NewProxyPage() {
  return (
    <Page
      title="New proxy"
      sub="Answers a domain of yours with your present website. Add rules for other websites afterwards."
      crumbs={<Link to="/proxies">Proxies</Link>}
      width="form"
    >
      <div className={layout.banners}>
        <NoCloudflare />
      </div>
      <NewProxyForm />
    </Page>
  );
}
