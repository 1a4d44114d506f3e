import { newDomain } from '@homeport/contract/fields/domain-name';
import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { CopyValue } from '../../../ui/button/CodeLine.tsx';
import { NoCloudflare } from '../../NoCloudflare.tsx';
import { EditTextDialog } from './EditTextDialog.tsx';

/** The new domain must be inside a proven one, or have the TXT record that proves it. */
export function EditDomainDialog({ proxy, onClose }: { proxy: ProxyRecord; onClose: () => void }) {
  return (
    <EditTextDialog
      proxy={proxy}
      field="domain"
      title="Edit domain"
      label="Domain"
      mono
      description={`${proxy.domain} is answered no more after this change.`}
      help={
        <>
          A domain that is not inside one that you have proven needs a TXT record first. Its name is
          _homeport. before the domain, its content is{' '}
          <CopyValue text={proxy.proof} what="content of the TXT record" />
        </>
      }
      foot={<NoCloudflare />}
      problem={(text) => (newDomain(text) === null ? 'Enter a domain such as www.example.com.' : null)}
      read={(text) => newDomain(text) ?? text}
      saved="Domain updated"
      onClose={onClose}
    />
  );
}
