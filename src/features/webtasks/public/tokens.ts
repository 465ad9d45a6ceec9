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
const MAX_URL_LENGTH = 2000

function readExpiry(given: unknown): number | null {
  if (given === undefined || given === null) return null
  const instant = parseInstant(given)
  if (instant === undefined) throw badRequestProblem('/expires', 'must be a date (ISO 8601), or null')
  return instant
}

/** Makes a token of a webtask, for a key by its number or a person by their uuid. Throws 400 for more than 8 KB. */
export function createWebtaskToken(
  { config, clock, masterKeys }: Pick<ServiceContext, 'config' | 'clock' | 'masterKeys'>,
  { cipherId, settings }: StoredWebtask,
  { data = null, variables = null, receiver = null, expires: given }: WebtaskCipherBody,
  maker: SealedTokenContent['maker'],
): WebtaskCipherToken {
  const expires = readExpiry(given)
  const sealed: SealedTokenContent = { data, variables, receiver, expires, minted: clock.now(), maker }
  const value = sealWebtaskToken(masterKeys, cipherId, sealed)
  if (value === undefined)
    throw badRequestProblem('', `is too large: a token holds at most ${MAX_TOKEN_CONTENT_BYTES} bytes of JSON`)
  const url = `${config.publicUrl}/w/${value}`
  const isServed = config.publicWebtasks && settings.public.enabled && url.length <= MAX_URL_LENGTH
  return { value, url: isServed ? url : null, expires: expires === null ? null : new Date(expires).toISOString() }
}

/** A token that is good, and what its maker may do now. */
export interface ValidWebtaskToken extends SealedTokenContent {
  rights: readonly AccessRight[]
}

/**
 * What tokens of a webtask hold, in their order; undefined for one that is not of this webtask, was changed, has expired, or whose
 * maker is no more: a key that is revoked, a person who has left the account.
 */
export async function readWebtaskTokens(
  { db, clock, masterKeys }: TokenContext,
  { account, cipherId }: Pick<StoredWebtask, 'account' | 'cipherId'>,
  tokens: readonly string[],
): Promise<(ValidWebtaskToken | undefined)[]> {
  const now = clock.now()
  const opened = tokens.map((token) => openWebtaskToken(masterKeys, cipherId, token))
  const makers = [...new Set(opened.flatMap((one) => one?.maker ?? []))]
  const keys = makers.filter((maker) => typeof maker === 'number')
  const people = makers.filter((maker) => typeof maker === 'string')
  const rights = new Map<SealedTokenContent['maker'], readonly AccessRight[]>([
    ...(await readApiKeyRights(db, account, keys, new Date(now))),
    ...(await readUserRights(db, account, people)),
  ])
  return opened.map((one) => {
    const granted = one && rights.get(one.maker)
    const isExpired = one !== undefined && one.expires !== null && one.expires <= now
    return one && granted && !isExpired ? { ...one, rights: granted } : undefined
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
  const given = items.flatMap(({ cipher }) => cipher ?? [])
  const tokens = given.length === 0 ? [] : await readWebtaskTokens(context, webtask, given)
  const read = tokens.values()
  const faults: ProblemFault[] = []
  const all = items.map((item, index) => {
    if (item.cipher == null) return item
    const token = read.next().value
    if (token) return overlayTokenContent(item, token)
    const pointer = `${isList ? `/${index}` : ''}/cipher`
    faults.push({ pointer, detail: 'is no token of this webtask, or has expired or was revoked' })
    return item
  })
  if (faults.length > 0) throw invalidRequestProblem(faults)
  return { items: all, makers: tokens.flatMap((token) => (token ? [findTokenMaker(token)] : [])) }
}
