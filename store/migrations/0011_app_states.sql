-- How an app ended that nobody stopped, as JSON; null while it runs, is stopped or was never deployed. A crash does not pause
-- the check of the app: `stopped` alone does, and from now on `stopped` is true of apps that somebody stopped, no others.
alter table apps add column crash text;
-- The branch whose push deploys; null while the server has none for the app: the first branch that is pushed becomes it.
alter table apps add column deploy_branch text;
