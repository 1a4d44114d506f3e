-- stage: expand
-- Subdomains that servers gave up. Each stays with its person: its wildcard record may still lead to their machine, and other records to
-- that one, so nobody else may claim it. An older program keeps none, and looks at none.
create table former_subdomains (
  owner_id uuid not null references auth."user" (id) on delete cascade,
  subdomain text primary key,
  -- In epoch milliseconds.
  given_up_at bigint not null
);
create index former_subdomains_owner on former_subdomains (owner_id);
