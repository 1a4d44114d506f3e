import { addressKindOf } from '@homeport/contract/fields/server-address';
import { useState } from 'react';
import { useApi } from '../../data/use-api.ts';
import { TextField } from '../../ui/form/Field.tsx';
import { Select } from '../../ui/form/Select.tsx';

interface AddressFieldProps {
  kind: 'ipv4' | 'ipv6';
  value: string;
  error: string | undefined;
  onChange: (event: { currentTarget: { value: string } }) => void;
  onAddress: (address: string) => void;
}

const another = 'another';

/** The content of an A or AAAA record: the address of one of the person's servers, or one that is typed. */
const looks = {
  ipv4: { label: 'IPv4 address', help: 'An A record points at one of your servers.' },
  ipv6: { label: 'IPv6 address', help: 'An AAAA record points at one of your servers.' },
};

export function AddressField({ kind, value, error, onChange, onAddress }: AddressFieldProps) {
  const all = useApi('GET /api/servers').data ?? [];
  const servers = all.filter(({ ip }) => addressKindOf(ip) === kind);
  const known = servers.some(({ ip }) => ip === value);
  const [typing, setTyping] = useState(!known);
  const choice = typing || !known ? another : value;
  // Several servers may share an address.
  const addresses = new Map(servers.map(({ ip, name }) => [ip, `${name}, ${ip}`]));
  return (
    <>
      {servers.length > 0 && (
        <Select
          label="Content"
          value={choice}
          options={[
            ...[...addresses].map(([ip, label]) => ({ value: ip, label })),
            { value: another, label: 'Another address' },
          ]}
          help={looks[kind].help}
          error={choice === another ? undefined : error}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            setTyping(chosen === another);
            onAddress(chosen === another ? '' : chosen);
          }}
        />
      )}
      {choice === another && (
        <TextField
          label={looks[kind].label}
          mono
          {...(kind === 'ipv4' && { inputMode: 'decimal' })}
          autoComplete="off"
          value={value}
          error={error}
          onChange={onChange}
        />
      )}
    </>
  );
}
