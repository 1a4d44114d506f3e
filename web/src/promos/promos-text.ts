import type { Promo } from '@homeport/contract/identity/schema';

export const dollars = (amount: number): string => `$${amount}`;

/** The page's heading. The offers are the operator's, so the sums follow them. */
export function promosHeading(promos: readonly Promo[]): string {
  if (promos.length === 0) return 'Free server credits';
  const amounts = promos.map(({ amountUsd }) => amountUsd);
  const most = dollars(Math.max(...amounts));
  if (promos.length === 1) return `Free server credits worth up to ${most}`;
  const total = dollars(amounts.reduce((sum, amount) => sum + amount, 0));
  return `Free server credits worth up to ${most} each (${total} total)`;
}

const counts = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six'];

export function promosIntroduction({ length }: readonly Promo[]): string {
  if (length === 0) return 'Whoever runs this console offers no links to credits.';
  const providers = length === 1 ? 'cloud provider gives' : 'cloud providers give';
  return `${counts[length] ?? length} ${providers} credits to new accounts. Start a machine there, then add it here.`;
}

/** Says who earns by the links. Null when nobody does. */
export function referralText(promos: readonly Promo[]): string | null {
  const referrals = promos.filter(({ referral }) => referral).length;
  if (referrals === 0) return null;
  const which =
    referrals === promos.length ? 'These are referral links.' : 'Some of these are referral links.';
  return `${which} Whoever runs this console may receive credits when you use one.`;
}
