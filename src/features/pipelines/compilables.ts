import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccountId, Maker, Writer } from '../../lib/account.ts'
import { conflict } from '../../lib/errors/problem.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { refuseCapabilities } from '../../scripting/capabilities.ts'
import { type Flaw, hasErrors } from '../../scripting/flaws.ts'
import { freeName } from '../../scripting/free-name.ts'
import { writerAfter } from '../script-host/run-refusals.ts'
import { flawsOf } from './checks/check.ts'
import { capabilitiesOfValue } from './definition/definition.ts'
import { type Base, type GivenCompilable, readContent, readerOf } from './reading.ts'
import {
  type CompilableKey,
  type Content,
  countCompilables,
  insertCompilable,
  linksOf,
  loadBasis,
  loadCompilable,
  lockCompilable,
  namesOf,
  removeCompilable,
  type StoredCompilable,
  staleCompilables,
  storeState,
  updateCompilable,
  workflowsUsing,
} from './stored.ts'

const MAX_COMPILABLES = 1000

/** What compilables need. `db` may be a transaction. */
export type CompilableContext = Pick<Context, 'db' | 'clock' | 'masterKeys' | 'sandbox'>

/** Finds the state of a compilable that was just written; gives its flaws. */
async function settle(context: CompilableContext, key: CompilableKey): Promise<Flaw[]> {
  const { db } = context
  // First what it is found by: what changes from then on is met at the next read.
  const { value, ...basis } = await loadBasis(db, key)
  const flaws = await flawsOf(context, key.account, value, key.id)
  await storeState(db, key.account, basis, hasErrors(flaws) ? 'draft' : 'ready')
  return flaws
}

/** Finds the states again of compilables that use what has changed: all of an account, or one. */
export async function refreshStates(context: CompilableContext, account: AccountId, id: string | null): Promise<void> {
  for (const stale of await staleCompilables(context.db, account, id)) {
    const flaws = await flawsOf(context, account, stale.value, stale.id)
    await storeState(context.db, account, stale, hasErrors(flaws) ? 'draft' : 'ready')
  }
}

/** One compilable, its state as it is now. Throws notFound. */
export async function readCompilable(context: CompilableContext, key: CompilableKey): Promise<StoredCompilable> {
  await refreshStates(context, key.account, key.id)
  return loadCompilable(context.db, key)
}

/** Throws conflict when the account has as many compilables as it can have; others that would be made wait. */
async function requireRoom(tx: Db, account: AccountId): Promise<void> {
  await sql`select from accounts where id = ${account} for no key update`.execute(tx)
  if ((await countCompilables(tx, account)) >= MAX_COMPILABLES)
    throw conflict('too-many-compilables', `An account has at most ${MAX_COMPILABLES} compilables.`)
}

async function insert(
  context: CompilableContext,
  account: AccountId,
  content: Content,
  writtenBy: Maker,
): Promise<StoredCompilable> {
  const { db, clock } = context
  const key = { account, id: uuidV7(clock.now()) }
  await insertCompilable(db, key, content, { writtenBy, now: new Date(clock.now()) })
  await settle(context, key)
  return loadCompilable(db, key)
}

/** Makes a compilable, whatever its flaws. Throws 400, 403 for capabilities, conflict when there are 1,000. */
export async function createCompilable(
  context: CompilableContext,
  account: AccountId,
  given: GivenCompilable,
  { rights, strict, maker }: Writer,
): Promise<StoredCompilable> {
  const content = readContent(given, { kept: null, stored: null }, readerOf(context, account, strict))
  refuseCapabilities(capabilitiesOfValue(content.value), [], rights)
  // Its scripts are read before anything is locked.
  await flawsOf(context, account, content.value, null)
  return inTransaction(context.db, async (tx) => {
    await requireRoom(tx, account)
    return insert({ ...context, db: tx }, account, content, maker)
  })
}

/** How a change is read. */
export interface ChangeOptions extends Writer {
  /** What is absent takes its default: the body is the whole compilable. */
  whole?: boolean
}

/** Throws conflict `in-use` where an active workflow would use a compilable with errors. */
async function refuseBroken(tx: Db, key: CompilableKey, flaws: readonly Flaw[]): Promise<void> {
  if (!hasErrors(flaws)) return
  const links = await workflowsUsing(tx, key)
  if (links.length === 0) return
  const detail = 'Active workflows use the compilable: it cannot be changed into one with flaws.'
  throw conflict('in-use', detail, { links, flaws })
}

/**
 * Changes a compilable: `given` makes the body from what is stored. Throws notFound, 400, 403, and conflict `in-use` when an active
 * workflow uses it and it would have errors.
 */
export function changeCompilable(
  context: CompilableContext,
  key: CompilableKey,
  given: (stored: StoredCompilable) => GivenCompilable,
  { rights, strict, maker, whole = false }: ChangeOptions,
): Promise<StoredCompilable> {
  return inTransaction(context.db, async (tx) => {
    const own = { ...context, db: tx }
    const stored = await lockCompilable(tx, key)
    const base: Base = { kept: whole ? null : stored, stored }
    const write = given(stored)
    const content = readContent(write, base, readerOf(context, key.account, strict))
    refuseCapabilities(capabilitiesOfValue(content.value), capabilitiesOfValue(stored.value), rights)
    const { name, description, value, preview } = stored
    const isChanged = !isDeepStrictEqual(content.value, value)
    const writtenBy = writerAfter(stored.writtenBy, maker, { isChanged, isSent: write.value !== undefined })
    const isSame = isDeepStrictEqual(content, { name, description, value, preview })
    if (!isSame || writtenBy !== stored.writtenBy) {
      await updateCompilable(tx, key, content, { writtenBy, now: new Date(context.clock.now()) })
      await refuseBroken(tx, key, await settle(own, key))
      return loadCompilable(tx, key)
    }
    return readCompilable(own, key)
  })
}

/** Deletes a compilable. Throws notFound, conflict `in-use` with what uses it. */
export function deleteCompilable(db: Db, key: CompilableKey): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockCompilable(tx, key)
    const links = await linksOf(tx, key)
    if (links.length > 0)
      throw conflict(
        'in-use',
        `${links.length === 1 ? 'Something uses' : `${links.length} things use`} the compilable.`,
        {
          links,
        },
      )
    await removeCompilable(tx, key)
  })
}

/** Copies a compilable under a name of its own. Throws notFound, conflict when there are 1,000. */
export function duplicateCompilable(context: CompilableContext, key: CompilableKey): Promise<StoredCompilable> {
  return inTransaction(context.db, async (tx) => {
    await requireRoom(tx, key.account)
    const { name, description, value, preview, writtenBy } = await loadCompilable(tx, key)
    const copy = { name: freeName(name, await namesOf(tx, key.account)), description, value, preview }
    return insert({ ...context, db: tx }, key.account, copy, writtenBy)
  })
}

/** All that is wrong with a compilable. Throws notFound. */
export async function compilableFlaws(context: CompilableContext, { account, id }: CompilableKey): Promise<Flaw[]> {
  const { value } = await loadCompilable(context.db, { account, id })
  return flawsOf(context, account, value, id)
}
