import { isProblem } from './api-problem.ts';
import { type CallArgs, call } from './call.ts';
import { askToConfirm } from './confirmation.ts';
import type { RouteKey, RouteOutput } from './route-types.ts';

/**
 * `call` for acts: where the console wants to know first who the person is, asks, and sends the act again once. The repeat is safe,
 * because the console refuses before it acts.
 *
 * @throws ApiProblem `confirmation_required` if the person does not confirm.
 */
export async function callConfirmed<K extends RouteKey>(
  key: K,
  ...args: CallArgs<K>
): Promise<RouteOutput<K>> {
  try {
    return await call(key, ...args);
  } catch (error) {
    if (!isProblem(error, 'confirmation_required') || !(await askToConfirm())) throw error;
    return call(key, ...args);
  }
}
