/**
 * The SQL that tells the pages of a proxy's owner that the proxy changed. It stands where `id` and `owner_id` are one row's: the
 * pages hear of it when the statement's transaction commits, and never otherwise.
 */
export const notifyPages =
  "pg_notify('changed', json_build_object('owner', owner_id, 'topic', 'proxies', 'id', id)::text)";
