import type { AccountId, MemberRole } from './account.ts'

/** An account as a person has it: the role there, and what it asks of its people. */
export interface SessionAccount {
  account: AccountId
  code: string
  name: string
  /** Null: an operator who is no member. */
  role: MemberRole | null
  ratePerSecond: number
  rateBurst: number
  requireSecondFactor: boolean
  approval: boolean
  masks: boolean
}

/** A session with its person. */
export interface UserSession {
  id: string
  person: string
  name: string
  email: string
  operator: boolean
  confirmedAt: Date | null
  /** A second factor was given in this session. */
  hasSecondFactor: boolean
  /** The accounts that the person is a member of, by their codes. */
  places: readonly SessionAccount[]
}

/** The store of sessions: the database. */
export interface SessionStore {
  /** The session of a token, at most a second old; undefined if it no longer exists. */
  find(token: string): Promise<UserSession | undefined>
  /** The sessions of these ids that still exist, read again from the store. */
  still(ids: readonly string[]): Promise<ReadonlyMap<string, UserSession>>
  /** The account of a code, for an operator. */
  account(code: string): Promise<SessionAccount | undefined>
  /** Forgets what is cached: something of people has changed. */
  forget(): void
}
