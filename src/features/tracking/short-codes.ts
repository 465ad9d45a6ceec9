import type { Db } from '../../database/connection/connect.ts'
import {
  type AccountTokenKeys,
  type LinkTokenKind,
  type MessageLinkToken,
  signLinkToken,
} from '../../lib/crypto/tokens.ts'
import { findShortLink, type StoredShortLink } from '../../sending/prepare/short-links.ts'

/** The pages of the service that a short link may lead to. */
const PAGE_PATHS: Partial<Record<LinkTokenKind, string>> = { mirror: 'm', unsubscribe: 'u', form: 'f' }

/** The target of a short code: a page of the service, which records its own hit, or a tracked link. */
export type ShortCodeTarget = { page: string } | { token: MessageLinkToken; target: string }

/** The target of a short code; undefined for an unknown one. Rejects when the database is unavailable. */
export async function resolveShortCode(
  db: Db,
  tokens: AccountTokenKeys,
  code: string,
): Promise<ShortCodeTarget | undefined> {
  const shortLink = await findShortLink(db, code)
  if (!shortLink) return undefined
  const { target, ...token } = shortLink satisfies StoredShortLink
  if (target !== null) return { token, target }
  const page = PAGE_PATHS[token.kind]
  return page === undefined ? undefined : { page: `/t/${page}/${signLinkToken(tokens, token)}` }
}
