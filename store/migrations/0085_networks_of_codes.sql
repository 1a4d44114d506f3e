-- Codes of terminals are counted by network: whoever has a /64 of IPv6 could ask from another address each time.
alter table device_codes
  -- The IPv4 address, or the /64 of an IPv6 address.
  add column network text,
  -- The /24 of an IPv4 address, or the /48 of an IPv6 address.
  add column customer_network text;
update device_codes set network = address, customer_network = address;
alter table device_codes
  alter column network set not null,
  alter column customer_network set not null;
drop index device_codes_address;
create index device_codes_network on device_codes (network);
