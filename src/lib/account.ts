/** The account's number in this installation; never shown but in tokens. */
export type AccountId = number

export const accessRights = ['read', 'write', 'send', 'admin'] as const

/** What a key may be allowed to do. */
export type AccessRight = (typeof accessRights)[number]

export const memberRoles = ['viewer', 'author', 'sender', 'admin'] as const

/** What a person is in an account. */
export type MemberRole = (typeof memberRoles)[number]

/** What people of a role may do; what authors may not write is judged by what they write. */
export const rightsByMemberRole: Readonly<Record<MemberRole, readonly AccessRight[]>> = {
  viewer: ['read'],
  author: ['read', 'write'],
  sender: ['read', 'write', 'send'],
  admin: accessRights,
}

/** Who acts: of a key `id` is its number. */
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
  /** When a password or passkey was given last; null: this has never been in this session. */
  confirmedAt: Date | null
  /** A second factor was given in this session. */
  hasSecondFactor: boolean
  /** This person sees masked values. */
  masked: boolean
  /** The account asks for approvals. */
  approval: boolean
}

/** What a request may do and how fast, found by its key. */
export interface ApiKeyCredentials {
  key: number
  name: string
  account: AccountId
  rights: AccessRight[]
  ratePerSecond: number
  rateBurst: number
  lastUsedAt: Date | null
}

/** The maker of something: a person by their uuid; null: a key. */
export type CreatorId = string | null

/** Who writes a definition, and how strictly it is read. */
export interface DefinitionWriter {
  rights: readonly AccessRight[]
  strict: boolean
  maker: CreatorId
}
