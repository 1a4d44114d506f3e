-- Who uses a token: a program, a person's terminal, or a coding agent. What each kind may do is the contract's.
alter table api_tokens
  add column kind text not null default 'program' check (kind in ('program', 'terminal', 'agent')),
  -- A token that also ends without use: expires_at moves with each use, at most to here.
  add column ends_latest_at bigint;
