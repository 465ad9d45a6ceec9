import type { RbmContent } from './compose/rbm.ts'
import type { RcsWarning } from './content/content-warnings.ts'

/** A rich message as it would be sent, and the SMS it would fall back on (rcs.md 5.1). */
export interface RcsPreviewResult {
  type: 'success'
  /** Null without a phone that can be used. */
  recipient: string | null
  agent: string
  message: RbmContent
  fallback: { text: string; segments: number } | null
  warnings?: RcsWarning[]
}

/** Why there is none. `pointer`: to what is to be changed, in the action. */
export type RcsPreviewFailure =
  | { type: 'render'; message: string; pointer: string }
  | { type: 'cancelled'; message: string }
