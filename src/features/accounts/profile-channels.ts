/** What a profile may be for. */
export const channels = ['email', 'sms'] as const
