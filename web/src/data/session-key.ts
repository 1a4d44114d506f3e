export const sessionKey = ['session', 'GET /api/session', null] as const;
