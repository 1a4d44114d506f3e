import { networks } from '@homeport/contract/network/addresses';

/** Addresses that nobody connects to through the gate, whatever the operator allows. */
export const neverAllowed = networks([
  // "This host" (RFC 1122, 3.2.1.3; RFC 4291, 2.5.2): Linux connects to the loopback instead.
  '0.0.0.0/8',
  '::/128',
  // Link-local addresses: one's own cable, and the metadata services of most clouds, which hand credentials to whoever asks.
  '169.254.0.0/16',
  'fe80::/10',
  // Metadata services beyond the link: of Amazon and Google by IPv6, of Alibaba, and Azure's own at an address that looks public.
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  '100.100.100.200/32',
  '168.63.129.16/32',
  // Multicast and broadcast: no connection leads there.
  '224.0.0.0/4',
  '255.255.255.255/32',
  'ff00::/8',
]);
