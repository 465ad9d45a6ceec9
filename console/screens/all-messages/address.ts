import type { MessageChannelName, MessagePhase } from '../messages/names.ts'

/** Filters of a list of all channels, in the address. */
export interface AllMessagesSearch {
  q?: string | undefined
  channel?: MessageChannelName | undefined
  phase?: MessagePhase | undefined
}
