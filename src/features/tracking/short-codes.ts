import type { Db } from '../../database/connect.ts'
import { signToken, type Token, type TokenKeys, type TokenKind } from '../../lib/tokens.ts'
import { findShortLink, type StoredShortLink } from '../../outbox/short-links.ts'

/** The pages of the service that a short link may stand for. */
const PAGES: Partial<Record<TokenKind, string>> = { mirror: 'm', unsubscribe: 'u', form: 'f' }

/** What a short code comes to: a page of the service, whose request counts there, or a link that is followed here. */
export type ShortTarget = { page: string } | { token: Token; target: string }

/** What a short code stands for; undefined when nobody gave it out. Rejects when the database is away. */
export async function resolveShortCode(db: Db, tokens: TokenKeys, code: string): Promise<ShortTarget | undefined> {
  const found = await findShortLink(db, code)
  if (!found) return undefined
  const { target, ...token } = found satisfies StoredShortLink
  if (target !== null) return { token, target }
  const page = PAGES[token.kind]
  return page === undefined ? undefined : { page: `/t/${page}/${signToken(tokens, token)}` }
}
