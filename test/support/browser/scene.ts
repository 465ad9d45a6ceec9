import type { Page } from 'playwright-core'
import type { Stage } from '../stages/stage.ts'

/** A screen in a state, as the tests look at it: for accessibility, complaints of the browser, and as a picture. */
export interface Scene {
  name: string
  /** A path of the account, such as `/contacts`; or of the installation where it begins with `/console`. */
  path: string
  /** Nobody is signed in. */
  isDoor?: boolean
  /** Its picture, wide and light, stands in the README. */
  inReadme?: true
  /** Brings what the README shows into view. */
  frame?(page: Page): Promise<unknown>
  /** A path of the interface that answers 500 while this is shown. */
  refused?: string
  /** Answers of operations that would take days to come to, by their path. */
  answers?: Record<string, unknown>
  /** Makes what is shown; may give the path. */
  prepare?(stage: Stage): Promise<string | undefined>
  /** Resolves once the screen shows what it should. */
  ready(page: Page): Promise<unknown>
}
