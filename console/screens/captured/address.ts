export const CAPTURED_CHANNELS = ['email', 'sms', 'rcs', 'notification'] as const
export const CAPTURED_MESSAGE_VIEWS = ['message', 'headers', 'source'] as const

export interface CapturedSearch {
  /** Id of the open message. */
  id?: string
  channel?: (typeof CAPTURED_CHANNELS)[number]
  q?: string
  view?: (typeof CAPTURED_MESSAGE_VIEWS)[number]
}
