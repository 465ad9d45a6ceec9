import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { catchProblemAsync, conflictProblem, notFoundProblem, Problem } from '../../lib/errors/problem.ts'
import { createUuidV7 } from '../../lib/ids.ts'
import type { StoredDeviceRegistration } from '../applications/registrations.ts'
import { deleteExcessSubscriptions, type NewContactSubscription } from '../contacts/fields/devices.ts'
import { type ContactLookup, findContactsWithShape, predictContactHash } from '../contacts/records/find.ts'
import type { ContactShape } from '../contacts/values/contact-shape.ts'
import { loadContactShape } from '../contacts/values/stored-shape.ts'
import type { SubscriptionPut } from './read-put.ts'
import { deleteSubscriptionsByIds } from './removal.ts'
import {
  lockSubscriptions,
  recordPendingLinks,
  recordRepeatedPuts,
  type StoredSubscription,
  type WrittenSubscription,
  writeSubscriptions,
} from './rows.ts'

/** The origin of a put: a key, or devices, which learn nothing about contacts. */
export interface SubscriptionPutContext {
  now: Date
  /** The id of the key; null: the device itself. */
  user: number | null
  /** Refuses what an application does not take from devices. Throws Problem. */
  admit?: (subscriptionPut: SubscriptionPut, registration: StoredDeviceRegistration) => Promise<void>
  /** True if one more new subscription of its application is accepted now; absent: always. */
  isNewTaken?: (subscriptionPut: { id: string; application: string }) => boolean
}

/** The id that was put, or why it was not. */
export type SubscriptionPutOutcome = { id: string } | Problem

type IdentifiedPut = SubscriptionPut & { id: string }

/** The owner of a subscription after a put; undefined: unchanged. */
interface SubscriptionOwner {
  contact: number | null
  awaited: string | null
}

/** Interval in which repeated puts of a device change nothing visible. */
const REPEAT_INTERVAL_MS = 24 * 3600 * 1000

function hasNoContact(contact: SubscriptionPut['contact']): contact is null | undefined {
  return contact == null
}

/** The owners that puts name. Devices may name contacts that are not there: they are awaited by their hash. */
async function resolveOwners(
  tx: Db,
  account: AccountId,
  puts: readonly IdentifiedPut[],
  isDevice: boolean,
): Promise<Map<SubscriptionPut, SubscriptionOwner | Problem>> {
  const namedPuts = puts.filter(({ contact }) => !hasNoContact(contact))
  if (namedPuts.length === 0) return new Map()
  const shape: ContactShape = await loadContactShape(tx, account)
  const lookups = namedPuts.map(({ contact }) => contact as ContactLookup)
  const foundContacts = await findContactsWithShape(tx, shape, lookups)
  return new Map(
    namedPuts.map((subscriptionPut, index): [SubscriptionPut, SubscriptionOwner | Problem] => {
      const contact = foundContacts[index]
      if (contact) return [subscriptionPut, { contact: contact.id, awaited: null }]
      const name = lookups[index]!
      if (!isDevice) return [subscriptionPut, contactNotFoundProblem(name)]
      return [subscriptionPut, { contact: null, awaited: predictContactHash(shape, name) ?? null }]
    }),
  )
}

function contactNotFoundProblem(sought: ContactLookup): Problem {
  const value = 'value' in sought ? sought.value : sought.id
  return notFoundProblem('contact', [value].flat().join(' ').slice(0, 200), '/contact')
}

function buildRow(
  subscriptionPut: IdentifiedPut,
  before: StoredSubscription | undefined,
  owner: SubscriptionOwner | undefined,
  { now, user }: SubscriptionPutContext,
) {
  const { id, application, address, culture, protocol, contact } = subscriptionPut
  const { type: provider, token, digest, keys } = address
  const currentOwner = { contact: before?.contact ?? null, awaited: before?.awaited ?? null }
  return {
    id,
    application,
    provider,
    token,
    digest,
    keys,
    ...(contact === null ? { contact: null, awaited: null } : (owner ?? currentOwner)),
    culture: culture === undefined ? (before?.culture ?? null) : culture,
    protocol: protocol === undefined ? (before?.protocol ?? null) : protocol,
    muted: false,
    isNew: before === undefined,
    createdAt: before?.createdAt ?? now,
    createdBy: before ? before.createdBy : user,
    updatedAt: before ? now : null,
    updatedBy: before ? user : null,
  } satisfies WrittenSubscription
}

const comparedMembers = ['contact', 'awaited', 'provider', 'token', 'culture', 'protocol', 'muted'] as const

/** True if a put changes nothing and the last recorded change is recent. */
function isRepeatedPut(before: StoredSubscription, after: StoredSubscription, now: Date): boolean {
  const isSame = comparedMembers.every((member) => before[member] === after[member])
  const areKeysSame = before.keys?.p256dh === after.keys?.p256dh && before.keys?.auth === after.keys?.auth
  return isSame && areKeysSame && now.getTime() - (before.updatedAt ?? before.createdAt).getTime() < REPEAT_INTERVAL_MS
}

function formatTokenKey({
  application,
  provider,
  digest,
}: Pick<StoredSubscription, 'application' | 'provider' | 'digest'>) {
  return `${application} ${provider} ${digest.toString('hex')}`
}

function toTokenKey({ application, address }: SubscriptionPut) {
  return { application, provider: address.type, digest: address.digest }
}

/**
 * Puts of which no two concern one subscription: by its id, the token they give it, or the token that it has. The others wait
 * for the next turn, in order.
 */
function selectTurn(
  puts: readonly IdentifiedPut[],
  storedSubscriptions: readonly StoredSubscription[],
): IdentifiedPut[] {
  const tokenHolders = new Map(storedSubscriptions.map((row) => [formatTokenKey(row), row.id]))
  const usedKeys = new Set<string>()
  return puts.filter((subscriptionPut) => {
    const token = formatTokenKey(toTokenKey(subscriptionPut))
    const lockKeys = [subscriptionPut.id, token, tokenHolders.get(token) ?? subscriptionPut.id]
    const isFree = lockKeys.every((name) => !usedKeys.has(name))
    // What waits keeps those behind it waiting.
    for (const name of lockKeys) usedKeys.add(name)
    return isFree
  })
}

/** Rows that a turn writes. */
interface TurnResult {
  rows: WrittenSubscription[]
  /** Those that are as they were put: only when is noted. */
  repeated: string[]
  /** Those that have got another contact. */
  gained: NewContactSubscription[]
}

const tooManyProblem = () =>
  new Problem(429, 'too-many-requests', 'Too many new subscriptions for this application. Try again.', {
    headers: { 'retry-after': '1' },
  })

/** Those of the puts whose turn it is; gives their outcomes. */
async function processTurn(
  tx: Db,
  account: AccountId,
  puts: readonly IdentifiedPut[],
  putting: SubscriptionPutContext,
): Promise<Map<SubscriptionPut, SubscriptionPutOutcome>> {
  const { now, isNewTaken, admit } = putting
  const owners = await resolveOwners(tx, account, puts, admit !== undefined)
  const { subscriptions: storedSubscriptions, registrations } = await lockSubscriptions(tx, account, {
    ids: puts.map(({ id }) => id),
    tokens: puts.map(toTokenKey),
    applications: [...new Set(puts.map(({ application }) => application))],
  })
  const turnPuts = selectTurn(puts, storedSubscriptions)
  const storedById = new Map(storedSubscriptions.map((row) => [row.id, row]))
  const turnResult: TurnResult = { rows: [], repeated: [], gained: [] }
  const outcomes = new Map<SubscriptionPut, SubscriptionPutOutcome>()
  for (const subscriptionPut of turnPuts) {
    const storedRow = storedById.get(subscriptionPut.id)
    const refusal = await catchProblemAsync(async () => {
      const registration = registrations.get(subscriptionPut.application)
      if (!registration) throw notFoundProblem('application', subscriptionPut.application, '/application')
      await admit?.(subscriptionPut, registration)
      const owner = owners.get(subscriptionPut)
      if (owner instanceof Problem) throw owner
      if (storedRow && storedRow.application !== subscriptionPut.application)
        throw conflictProblem(
          'other-application',
          'The subscription belongs to another application and cannot be moved.',
        )
      if (!storedRow && isNewTaken?.(subscriptionPut) === false) throw tooManyProblem()
      const updatedRow = buildRow(subscriptionPut, storedRow, owner, putting)
      if (storedRow && isRepeatedPut(storedRow, updatedRow, now)) {
        turnResult.repeated.push(subscriptionPut.id)
        return
      }
      turnResult.rows.push(updatedRow)
      const { id, contact, application } = updatedRow
      const isProven = !admit || registration.proof === 'required'
      if (contact !== null && contact !== storedRow?.contact)
        turnResult.gained.push({ id, contact, application, isProven })
    })
    outcomes.set(subscriptionPut, refusal ?? { id: subscriptionPut.id })
  }
  const tokens = new Map(turnResult.rows.map((row) => [formatTokenKey(row), row.id]))
  const replacedRows = storedSubscriptions.filter((row) => (tokens.get(formatTokenKey(row)) ?? row.id) !== row.id)
  await storeTurn(tx, account, turnResult, { replaced: replacedRows.map(({ id }) => id), now })
  return outcomes
}

async function storeTurn(
  tx: Db,
  account: AccountId,
  { rows, repeated, gained }: TurnResult,
  { replaced, now }: { replaced: readonly string[]; now: Date },
): Promise<void> {
  await recordRepeatedPuts(tx, account, repeated, now)
  if (rows.length === 0) return
  if (replaced.length > 0) await deleteSubscriptionsByIds(tx, account, replaced)
  const excessIds = await deleteExcessSubscriptions(tx, account, gained, { now })
  const boundedRows = rows.map((row) => (excessIds.has(row.id) ? { ...row, contact: null } : row))
  await writeSubscriptions(tx, account, boundedRows)
  await recordPendingLinks(tx, account, boundedRows, now)
}

/**
 * Puts subscriptions, in order, in the caller's transaction: each becomes as given, takes its token over from an older one,
 * and is not muted any more. The fault of one is its outcome, and affects no other.
 */
export async function putSubscriptions(
  tx: Db,
  account: AccountId,
  puts: readonly SubscriptionPut[],
  putting: SubscriptionPutContext,
): Promise<SubscriptionPutOutcome[]> {
  const identifiedPuts = puts.map(
    (subscriptionPut): IdentifiedPut => ({
      ...subscriptionPut,
      id: subscriptionPut.id ?? createUuidV7(putting.now.getTime()),
    }),
  )
  const outcomes = new Map<SubscriptionPut, SubscriptionPutOutcome>()
  while (outcomes.size < identifiedPuts.length) {
    const pendingPuts = identifiedPuts.filter((subscriptionPut) => !outcomes.has(subscriptionPut))
    for (const [subscriptionPut, outcome] of await processTurn(tx, account, pendingPuts, putting))
      outcomes.set(subscriptionPut, outcome)
  }
  return identifiedPuts.map((subscriptionPut) => outcomes.get(subscriptionPut)!)
}
