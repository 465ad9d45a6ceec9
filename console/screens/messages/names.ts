/** Message channels, as named in addresses. */
export const MESSAGE_CHANNEL_NAMES = ['email', 'sms', 'rcs', 'notification'] as const
export type MessageChannelName = (typeof MESSAGE_CHANNEL_NAMES)[number]

export const isMessageChannelName = (name: unknown): name is MessageChannelName =>
  MESSAGE_CHANNEL_NAMES.some((candidate) => candidate === name)

/** The parts of writing, in their order. */
export const MESSAGE_EDITOR_STEPS = ['content', 'versions', 'audience', 'when', 'send'] as const
export type MessageEditorStep = (typeof MESSAGE_EDITOR_STEPS)[number]

/** States that a list can be filtered by; the numbers are those of the API. */
export const MESSAGE_PHASE_STATES = {
  draft: '10,20',
  testing: '30,35,36,38',
  validated: '40,50',
  sending: '55',
  sent: '60',
} as const
export type MessagePhase = keyof typeof MESSAGE_PHASE_STATES | 'active' | 'inactive'
export const ACTION_PHASES = ['draft', 'testing', 'validated', 'sending', 'sent'] as const
export const NOTIFICATION_PHASES = ['active', 'inactive'] as const
export const isMessagePhase = (phase: unknown): phase is MessagePhase =>
  [...ACTION_PHASES, ...NOTIFICATION_PHASES].some((candidate) => candidate === phase)
