import { useState } from 'react';
import { useApi } from '../../data/use-api.ts';
import { Select, TextField } from '../../ui/form/Field.tsx';

interface AddressFieldProps {
  value: string;
  error: string | undefined;
  onChange: (event: { currentTarget: { value: string } }) => void;
  onAddress: (address: string) => void;
}

const another = 'another';

/** The content of an A record: the address of one of the person's servers, or one that is typed. */
export function AddressField({ value, error, onChange, onAddress }: AddressFieldProps) {
  const servers = useApi('GET /api/servers').data ?? [];
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
          help="An A record points at one of your servers."
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
          label="IPv4 address"
          mono
          inputMode="decimal"
          autoComplete="off"
          value={value}
          error={error}
          onChange={onChange}
        />
      )}
    </>
  );
}
