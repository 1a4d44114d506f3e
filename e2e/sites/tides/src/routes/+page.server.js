import { base } from '$app/paths';
import { redirect } from '@sveltejs/kit';

/** Rendered for each request. */
export const load = ({ cookies }) => ({ station: cookies.get('station') ?? 'none' });

export const actions = {
  default: async ({ cookies, request }) => {
    const station = String((await request.formData()).get('station'));
    cookies.set('station', station, { path: base, secure: false });
    redirect(303, `${base}/station/${encodeURIComponent(station)}`);
  },
};
