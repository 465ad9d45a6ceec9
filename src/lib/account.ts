/** The account's number in this installation; never shown but in tokens. */
export type AccountId = number

export const rights = ['read', 'write', 'send', 'admin'] as const

/** What a key may be allowed to do. */
export type Right = (typeof rights)[number]

/** What a request may do and how fast, found by its key. */
export interface Credentials {
  key: number
  account: AccountId
  rights: Right[]
  ratePerSecond: number
  rateBurst: number
  lastUsedAt: Date | null
}

/** Who writes a definition, and how strictly it is read. */
export interface Writer {
  rights: readonly Right[]
  strict: boolean
}
