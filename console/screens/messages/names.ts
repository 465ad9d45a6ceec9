/** What a message is written for, as addresses name it. */
export const CHANNEL_NAMES = ['email', 'sms', 'rcs', 'notification'] as const
export type ChannelName = (typeof CHANNEL_NAMES)[number]

export const isChannelName = (name: unknown): name is ChannelName => CHANNEL_NAMES.some((one) => one === name)

/** The parts of writing, in their order. */
export const STEPS = ['content', 'versions', 'audience', 'when', 'send'] as const
export type Step = (typeof STEPS)[number]

/** What a list is narrowed to by state; the numbers are those of the interface. */
export const PHASES = {
  draft: '10,20',
  testing: '30,35,36,38',
  validated: '40,50',
  sending: '55',
  sent: '60',
} as const
export type Phase = keyof typeof PHASES | 'active' | 'inactive'
export const ACTION_PHASES = ['draft', 'testing', 'validated', 'sending', 'sent'] as const
export const NOTIFICATION_PHASES = ['active', 'inactive'] as const
export const isPhase = (phase: unknown): phase is Phase =>
  [...ACTION_PHASES, ...NOTIFICATION_PHASES].some((one) => one === phase)
