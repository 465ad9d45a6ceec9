import type { AccountId } from '../../../lib/account.ts'

/** A wait of which nothing has happened yet. */
export interface OpenRunWait {
  account: AccountId
  run: string
  id: string
  node: string
  version: number
  type: string
  isGoal: boolean
}

/** A stored event that a wait may be for. */
export interface WaitCandidate {
  run: string
  wait: string
  event: string
  at: Date
}

/** Candidates of a wait that are looked at together. */
export const WAIT_SEARCH_PAGE = 50

/** Search for the events of a wait: the wait, its sources, and the end of the last page. */
export interface WaitSearch extends Pick<OpenRunWait, 'account' | 'run' | 'id' | 'type' | 'isGoal'> {
  until: number | null
  after: WaitCandidate | null
  sends: readonly string[]
}
