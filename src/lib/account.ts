/** The account's number in this installation; never shown but in tokens. */
export type AccountId = number

export const accessRights = ['read', 'write', 'send', 'admin'] as const

/** A right that a key may have. */
export type AccessRight = (typeof accessRights)[number]

export const memberRoles = ['viewer', 'author', 'sender', 'admin'] as const

/** The role of a person in an account. */
export type MemberRole = (typeof memberRoles)[number]

/** The rights of each role. Restrictions on authors are checked against what they write. */
export const rightsByMemberRole: Readonly<Record<MemberRole, readonly AccessRight[]>> = {
  viewer: ['read'],
  author: ['read', 'write'],
  sender: ['read', 'write', 'send'],
  admin: accessRights,
}

/** The actor; for a key, `id` is its number. */
export interface Actor {
  type: 'person' | 'key' | 'system' | 'command'
  id: string | null
  name: string
}

/** The person of a request that came with a session. */
export interface RequestUser {
  id: string
  name: string
  email: string
  operator: boolean
  /** In the account of the request; null where no account is named, and for operators who are no member. */
  role: MemberRole | null
  session: string
  /** The time when a password or passkey was last entered; null if this never happened in this session. */
  confirmedAt: Date | null
  /** A second factor was given in this session. */
  hasSecondFactor: boolean
  /** This person sees masked values. */
  masked: boolean
  /** The account asks for approvals. */
  approval: boolean
}

/** The rights and rate limit of a request, found by its key. */
export interface ApiKeyCredentials {
  key: number
  name: string
  account: AccountId
  rights: AccessRight[]
  ratePerSecond: number
  rateBurst: number
  lastUsedAt: Date | null
}

/** An object of an account that a transaction has locked and loaded: nothing changes it until the transaction ends. */
export interface LockedObject<Id, Stored> {
  account: AccountId
  id: Id
  stored: Stored
}

/** The maker of something: a person by their uuid; null: a key. */
export type CreatorId = string | null

/** The writer of a definition, and how strictly the definition is validated. */
export interface DefinitionWriter {
  rights: readonly AccessRight[]
  strict: boolean
  maker: CreatorId
}
