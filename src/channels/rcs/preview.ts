import type { RbmContent } from './compose/rbm.ts'
import type { RcsWarning } from './content/content-warnings.ts'

/** A rich message in the form that would be sent, and the SMS it would fall back on. */
export interface RcsPreviewResult {
  type: 'success'
  /** Null without a phone that can be used. */
  recipient: string | null
  agent: string
  message: RbmContent
  fallback: { text: string; segments: number } | null
  warnings?: RcsWarning[]
}

/** Reason for the missing preview. `pointer` is to the part of the action to change. */
export type RcsPreviewFailure =
  | { type: 'render'; message: string; pointer: string }
  | { type: 'cancelled'; message: string }
