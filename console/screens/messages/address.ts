import type { MessagePhase } from './names.ts'

/** Search and filters of the list. */
export interface MessagesSearch {
  q?: string | undefined
  phase?: MessagePhase | undefined
  category?: number | undefined
  campaign?: string | undefined
  sort?: string | undefined
}
