export const setUpSteps = ['account', 'domain', 'sender', 'gateway', 'test', 'contacts'] as const
export type SetUpStep = (typeof setUpSteps)[number]
