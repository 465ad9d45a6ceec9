import type { ServiceContext } from '../../../context.ts'
import type { AccessRight, CreatorId } from '../../../lib/account.ts'
import { badRequestProblem, invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { parseInstant } from '../../../lib/time/period.ts'
import { readApiKeyRights } from '../../accounts/accounts.ts'
import type { ContactIdentification } from '../../contacts/records/identification-schemas.ts'
import { readUserRights } from '../../people/members/members.ts'
import type { WebtaskCipherBody, WebtaskCipherToken, WebtaskItem } from '../executions/execution-schemas.ts'
import type { StoredWebtask } from '../stored.ts'
import { MAX_TOKEN_CONTENT_BYTES, openWebtaskToken, type SealedTokenContent, sealWebtaskToken } from './cipher.ts'

type TokenContext = Pick<ServiceContext, 'db' | 'clock' | 'masterKeys'>

/** Characters of an address: longer ones are not passed on everywhere. */
const MAX_URL_CHARACTERS = 2000

function parseExpiry(rawExpiry: unknown): number | null {
  if (rawExpiry === undefined || rawExpiry === null) return null
  const instant = parseInstant(rawExpiry)
  if (instant === undefined) throw badRequestProblem('/expires', 'must be a date (ISO 8601), or null')
  return instant
}

/** Makes a token of a webtask, for a key by its number or a person by their uuid. Throws 400 for more than 8 KB. */
export function createWebtaskToken(
  { config, clock, masterKeys }: Pick<ServiceContext, 'config' | 'clock' | 'masterKeys'>,
  { cipherId, settings }: StoredWebtask,
  { data = null, variables = null, receiver = null, expires: rawExpiry }: WebtaskCipherBody,
  maker: SealedTokenContent['maker'],
): WebtaskCipherToken {
  const expires = parseExpiry(rawExpiry)
  const tokenContent: SealedTokenContent = { data, variables, receiver, expires, minted: clock.now(), maker }
  const value = sealWebtaskToken(masterKeys, cipherId, tokenContent)
  if (value === undefined)
    throw badRequestProblem('', `is too large: a token can have at most ${MAX_TOKEN_CONTENT_BYTES} bytes of JSON`)
  const url = `${config.publicUrl}/w/${value}`
  const isServed = config.publicWebtasks && settings.public.enabled && url.length <= MAX_URL_CHARACTERS
  return { value, url: isServed ? url : null, expires: expires === null ? null : new Date(expires).toISOString() }
}

/** A token that is good, and what its maker may do now. */
export interface ValidWebtaskToken extends SealedTokenContent {
  rights: readonly AccessRight[]
}

/**
 * Contents of a webtask's tokens, in their order; `undefined` for a token that does not belong to this webtask, was changed or has
 * expired, or whose maker no longer exists: a revoked key, or a person who has left the account.
 */
export async function readWebtaskTokens(
  { db, clock, masterKeys }: TokenContext,
  { account, cipherId }: Pick<StoredWebtask, 'account' | 'cipherId'>,
  tokens: readonly string[],
): Promise<(ValidWebtaskToken | undefined)[]> {
  const now = clock.now()
  const openedTokens = tokens.map((token) => openWebtaskToken(masterKeys, cipherId, token))
  const makers = [...new Set(openedTokens.flatMap((openedToken) => openedToken?.maker ?? []))]
  const apiKeyIds = makers.filter((maker) => typeof maker === 'number')
  const personIds = makers.filter((maker) => typeof maker === 'string')
  const rights = new Map<SealedTokenContent['maker'], readonly AccessRight[]>([
    ...(await readApiKeyRights(db, account, apiKeyIds, new Date(now))),
    ...(await readUserRights(db, account, personIds)),
  ])
  return openedTokens.map((openedToken) => {
    const makerRights = openedToken && rights.get(openedToken.maker)
    const isExpired = openedToken !== undefined && openedToken.expires !== null && openedToken.expires <= now
    return openedToken && makerRights && !isExpired ? { ...openedToken, rights: makerRights } : undefined
  })
}

/** The maker of a token. */
export const findTokenMaker = ({ maker }: Pick<SealedTokenContent, 'maker'>): CreatorId =>
  typeof maker === 'string' ? maker : null

/** An item with what a token holds in the place of what it has. */
export function overlayTokenContent(item: WebtaskItem, { data, variables, receiver }: SealedTokenContent): WebtaskItem {
  return {
    ...item,
    ...(data !== null && { data }),
    ...(variables !== null && { variables: variables as NonNullable<WebtaskItem['variables']> }),
    ...(receiver !== null && { receiver: receiver as ContactIdentification }),
  }
}

/** Items with what their tokens hold, and who made these. Throws 400 for tokens that are not good; of a list pointers begin with the place. */
export async function applyTokensToItems(
  context: TokenContext,
  webtask: StoredWebtask,
  items: readonly WebtaskItem[],
  isList: boolean,
): Promise<{ items: WebtaskItem[]; makers: CreatorId[] }> {
  const itemTokens = items.flatMap(({ cipher }) => cipher ?? [])
  const tokens = itemTokens.length === 0 ? [] : await readWebtaskTokens(context, webtask, itemTokens)
  const tokenIterator = tokens.values()
  const faults: ProblemFault[] = []
  const overlaidItems = items.map((item, index) => {
    if (item.cipher == null) return item
    const token = tokenIterator.next().value
    if (token) return overlayTokenContent(item, token)
    const pointer = `${isList ? `/${index}` : ''}/cipher`
    faults.push({ pointer, detail: 'is not a token of this webtask, has expired or was revoked' })
    return item
  })
  if (faults.length > 0) throw invalidRequestProblem(faults)
  return { items: overlaidItems, makers: tokens.flatMap((token) => (token ? [findTokenMaker(token)] : [])) }
}
