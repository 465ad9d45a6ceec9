/** The account's number in this installation; never shown but in tokens. */
export type AccountId = number

export const rights = ['read', 'write', 'send', 'admin'] as const

/** What a key may be allowed to do. */
export type Right = (typeof rights)[number]

export const personRoles = ['viewer', 'author', 'sender', 'admin'] as const

/** What a person is in an account. */
export type PersonRole = (typeof personRoles)[number]

/** What people of a role may do; what authors may not write is judged by what they write. */
export const rightsOfRole: Readonly<Record<PersonRole, readonly Right[]>> = {
  viewer: ['read'],
  author: ['read', 'write'],
  sender: ['read', 'write', 'send'],
  admin: rights,
}

/** Who acts: of a key `id` is its number. */
export interface Actor {
  type: 'person' | 'key' | 'system' | 'command'
  id: string | null
  name: string
}

/** The person of a request that came with a session. */
export interface SignedIn {
  id: string
  name: string
  email: string
  operator: boolean
  /** In the account of the request; null where no account is named, and for operators who are no member. */
  role: PersonRole | null
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
export interface Credentials {
  key: number
  name: string
  account: AccountId
  rights: Right[]
  ratePerSecond: number
  rateBurst: number
  lastUsedAt: Date | null
}

/** The maker of something: a person by their uuid; null: a key. */
export type Maker = string | null

/** Who writes a definition, and how strictly it is read. */
export interface Writer {
  rights: readonly Right[]
  strict: boolean
  maker: Maker
}
