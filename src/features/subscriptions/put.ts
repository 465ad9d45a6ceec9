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

/** Who puts subscriptions: a key, or devices, which learn nothing of contacts. */
export interface SubscriptionPutContext {
  now: Date
  /** The id of the key; null: the device itself. */
  user: number | null
  /** Refuses what an application does not take from devices. Throws Problem. */
  admit?: (put: SubscriptionPut, registration: StoredDeviceRegistration) => Promise<void>
  /** Whether one more new subscription of its application is taken now; absent: always. */
  isNewTaken?: (put: { id: string; application: string }) => boolean
}

/** The id that was put, or why it was not. */
export type SubscriptionPutOutcome = { id: string } | Problem

type Numbered = SubscriptionPut & { id: string }

/** Whom a subscription belongs to after a put: undefined as before. */
interface Owner {
  contact: number | null
  awaited: string | null
}

/** How long nothing that is shown changes of a device that repeats itself. */
const REPEAT_MS = 24 * 3600 * 1000

function isUnnamed(contact: SubscriptionPut['contact']): contact is null | undefined {
  return contact == null
}

/** The owners that puts name. Devices may name contacts that are not there: they are awaited by their hash. */
async function ownersOf(
  tx: Db,
  account: AccountId,
  puts: readonly Numbered[],
  isDevice: boolean,
): Promise<Map<SubscriptionPut, Owner | Problem>> {
  const named = puts.filter(({ contact }) => !isUnnamed(contact))
  if (named.length === 0) return new Map()
  const shape: ContactShape = await loadContactShape(tx, account)
  const sought = named.map(({ contact }) => contact as ContactLookup)
  const found = await findContactsWithShape(tx, shape, sought)
  return new Map(
    named.map((put, index): [SubscriptionPut, Owner | Problem] => {
      const contact = found[index]
      if (contact) return [put, { contact: contact.id, awaited: null }]
      const name = sought[index]!
      if (!isDevice) return [put, unknownContact(name)]
      return [put, { contact: null, awaited: predictContactHash(shape, name) ?? null }]
    }),
  )
}

function unknownContact(sought: ContactLookup): Problem {
  const value = 'value' in sought ? sought.value : sought.id
  return notFoundProblem('contact', [value].flat().join(' ').slice(0, 200), '/contact')
}

function rowOf(
  put: Numbered,
  before: StoredSubscription | undefined,
  owner: Owner | undefined,
  { now, user }: SubscriptionPutContext,
) {
  const { id, application, address, culture, protocol, contact } = put
  const { type: provider, token, digest, keys } = address
  const kept = { contact: before?.contact ?? null, awaited: before?.awaited ?? null }
  return {
    ...{ id, application, provider, token, digest, keys },
    ...(contact === null ? { contact: null, awaited: null } : (owner ?? kept)),
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

const compared = ['contact', 'awaited', 'provider', 'token', 'culture', 'protocol', 'muted'] as const

/** Whether a put says nothing new, and the last change that was noted is recent. */
function isRepeated(before: StoredSubscription, after: StoredSubscription, now: Date): boolean {
  const isSame = compared.every((member) => before[member] === after[member])
  const areKeysSame = before.keys?.p256dh === after.keys?.p256dh && before.keys?.auth === after.keys?.auth
  return isSame && areKeysSame && now.getTime() - (before.updatedAt ?? before.createdAt).getTime() < REPEAT_MS
}

function tokenOf({ application, provider, digest }: Pick<StoredSubscription, 'application' | 'provider' | 'digest'>) {
  return `${application} ${provider} ${digest.toString('hex')}`
}

function tokenKeyOf({ application, address }: SubscriptionPut) {
  return { application, provider: address.type, digest: address.digest }
}

/**
 * Puts of which no two concern one subscription: by its id, the token they give it, or the token that it has. The others wait
 * for the next turn, in order.
 */
function takeTurn(puts: readonly Numbered[], known: readonly StoredSubscription[]): Numbered[] {
  const holders = new Map(known.map((row) => [tokenOf(row), row.id]))
  const seen = new Set<string>()
  return puts.filter((put) => {
    const token = tokenOf(tokenKeyOf(put))
    const names = [put.id, token, holders.get(token) ?? put.id]
    const isFree = names.every((name) => !seen.has(name))
    // What waits keeps those behind it waiting.
    for (const name of names) seen.add(name)
    return isFree
  })
}

/** What a turn writes. */
interface Written {
  rows: WrittenSubscription[]
  /** Those that are as they were put: only when is noted. */
  repeated: string[]
  /** Those that have got another contact. */
  gained: NewContactSubscription[]
}

const tooMany = () =>
  new Problem(429, 'too-many-requests', 'Too many new subscriptions of this application; try again.', {
    headers: { 'retry-after': '1' },
  })

/** Those of the puts whose turn it is; gives their outcomes. */
async function runTurn(
  tx: Db,
  account: AccountId,
  puts: readonly Numbered[],
  putting: SubscriptionPutContext,
): Promise<Map<SubscriptionPut, SubscriptionPutOutcome>> {
  const { now, isNewTaken, admit } = putting
  const owners = await ownersOf(tx, account, puts, admit !== undefined)
  const { subscriptions: known, registrations } = await lockSubscriptions(tx, account, {
    ids: puts.map(({ id }) => id),
    tokens: puts.map(tokenKeyOf),
    applications: [...new Set(puts.map(({ application }) => application))],
  })
  const turn = takeTurn(puts, known)
  const byId = new Map(known.map((row) => [row.id, row]))
  const written: Written = { rows: [], repeated: [], gained: [] }
  const outcomes = new Map<SubscriptionPut, SubscriptionPutOutcome>()
  for (const put of turn) {
    const before = byId.get(put.id)
    const refusal = await catchProblemAsync(async () => {
      const registration = registrations.get(put.application)
      if (!registration) throw notFoundProblem('application', put.application, '/application')
      await admit?.(put, registration)
      const owner = owners.get(put)
      if (owner instanceof Problem) throw owner
      if (before && before.application !== put.application)
        throw conflictProblem('other-application', 'The subscription belongs to another application, and cannot move.')
      if (!before && isNewTaken?.(put) === false) throw tooMany()
      const after = rowOf(put, before, owner, putting)
      if (before && isRepeated(before, after, now)) {
        written.repeated.push(put.id)
        return
      }
      written.rows.push(after)
      const { id, contact, application } = after
      const isProven = !admit || registration.proof === 'required'
      if (contact !== null && contact !== before?.contact) written.gained.push({ id, contact, application, isProven })
    })
    outcomes.set(put, refusal ?? { id: put.id })
  }
  const tokens = new Map(written.rows.map((row) => [tokenOf(row), row.id]))
  const replaced = known.filter((row) => (tokens.get(tokenOf(row)) ?? row.id) !== row.id)
  await store(tx, account, written, { replaced: replaced.map(({ id }) => id), now })
  return outcomes
}

async function store(
  tx: Db,
  account: AccountId,
  { rows, repeated, gained }: Written,
  { replaced, now }: { replaced: readonly string[]; now: Date },
): Promise<void> {
  await recordRepeatedPuts(tx, account, repeated, now)
  if (rows.length === 0) return
  if (replaced.length > 0) await deleteSubscriptionsByIds(tx, account, replaced)
  const without = await deleteExcessSubscriptions(tx, account, gained, { now })
  const roomy = rows.map((row) => (without.has(row.id) ? { ...row, contact: null } : row))
  await writeSubscriptions(tx, account, roomy)
  await recordPendingLinks(tx, account, roomy, now)
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
  const numbered = puts.map((put): Numbered => ({ ...put, id: put.id ?? createUuidV7(putting.now.getTime()) }))
  const outcomes = new Map<SubscriptionPut, SubscriptionPutOutcome>()
  while (outcomes.size < numbered.length) {
    const waiting = numbered.filter((put) => !outcomes.has(put))
    for (const [put, outcome] of await runTurn(tx, account, waiting, putting)) outcomes.set(put, outcome)
  }
  return numbered.map((put) => outcomes.get(put)!)
}
