import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { ServiceContext } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccountId, CreatorId, DefinitionWriter } from '../../lib/account.ts'
import { conflictProblem } from '../../lib/errors/problem.ts'
import { createUuidV7 } from '../../lib/ids.ts'
import { requireCapabilityRights } from '../../scripting/capabilities.ts'
import { type DefinitionFlaw, hasErrorFlaws } from '../../scripting/flaws.ts'
import { findFreeName } from '../../scripting/free-name.ts'
import { resolveScriptAuthor } from '../script-host/run-refusals.ts'
import { findCompilableFlaws } from './checks/check.ts'
import { listValueCapabilities } from './definition/definition.ts'
import {
  type CompilableWrite,
  type CompilableWriteBase,
  createCompilableParser,
  parseCompilableContent,
} from './reading.ts'
import {
  type CompilableContent,
  type CompilableKey,
  countCompilables,
  findStaleCompilables,
  findWorkflowsUsing,
  insertCompilable,
  listCompilableLinks,
  listCompilableNames,
  loadCompilable,
  loadCompilableBasis,
  lockCompilable,
  removeCompilable,
  type StoredCompilable,
  storeCompilableState,
  updateCompilable,
} from './stored.ts'

const MAX_COMPILABLES = 1000

/** What compilables need. `db` may be a transaction. */
export type CompilableContext = Pick<ServiceContext, 'db' | 'clock' | 'masterKeys' | 'sandbox'>

/** Finds the state of a compilable that was just written; gives its flaws. */
async function settle(context: CompilableContext, key: CompilableKey): Promise<DefinitionFlaw[]> {
  const { db } = context
  // First what it is found by: what changes from then on is met at the next read.
  const { value, ...basis } = await loadCompilableBasis(db, key)
  const flaws = await findCompilableFlaws(context, key.account, value, key.id)
  await storeCompilableState(db, key.account, basis, hasErrorFlaws(flaws) ? 'draft' : 'ready')
  return flaws
}

/** Finds the states again of compilables that use what has changed: all of an account, or one. */
export async function refreshCompilableStates(
  context: CompilableContext,
  account: AccountId,
  id: string | null,
): Promise<void> {
  for (const stale of await findStaleCompilables(context.db, account, id)) {
    const flaws = await findCompilableFlaws(context, account, stale.value, stale.id)
    await storeCompilableState(context.db, account, stale, hasErrorFlaws(flaws) ? 'draft' : 'ready')
  }
}

/** One compilable, its state as it is now. Throws notFound. */
export async function readCompilable(context: CompilableContext, key: CompilableKey): Promise<StoredCompilable> {
  await refreshCompilableStates(context, key.account, key.id)
  return loadCompilable(context.db, key)
}

/** Throws conflict when the account has as many compilables as it can have; others that would be made wait. */
async function requireRoom(tx: Db, account: AccountId): Promise<void> {
  await sql`select from accounts where id = ${account} for no key update`.execute(tx)
  if ((await countCompilables(tx, account)) >= MAX_COMPILABLES)
    throw conflictProblem('too-many-compilables', `An account has at most ${MAX_COMPILABLES} compilables.`)
}

async function insert(
  context: CompilableContext,
  account: AccountId,
  content: CompilableContent,
  writtenBy: CreatorId,
): Promise<StoredCompilable> {
  const { db, clock } = context
  const key = { account, id: createUuidV7(clock.now()) }
  await insertCompilable(db, key, content, { writtenBy, now: new Date(clock.now()) })
  await settle(context, key)
  return loadCompilable(db, key)
}

/** Makes a compilable, whatever its flaws. Throws 400, 403 for capabilities, conflict when there are 1,000. */
export async function createCompilable(
  context: CompilableContext,
  account: AccountId,
  given: CompilableWrite,
  { rights, strict, maker }: DefinitionWriter,
): Promise<StoredCompilable> {
  const content = parseCompilableContent(
    given,
    { kept: null, stored: null },
    createCompilableParser(context, account, strict),
  )
  requireCapabilityRights(listValueCapabilities(content.value), [], rights)
  // Its scripts are read before anything is locked.
  await findCompilableFlaws(context, account, content.value, null)
  return inTransaction(context.db, async (tx) => {
    await requireRoom(tx, account)
    return insert({ ...context, db: tx }, account, content, maker)
  })
}

/** How a change is read. */
export interface ChangeCompilableOptions extends DefinitionWriter {
  /** What is absent takes its default: the body is the whole compilable. */
  whole?: boolean
}

/** Throws conflict `in-use` where an active workflow would use a compilable with errors. */
async function refuseBroken(tx: Db, key: CompilableKey, flaws: readonly DefinitionFlaw[]): Promise<void> {
  if (!hasErrorFlaws(flaws)) return
  const links = await findWorkflowsUsing(tx, key)
  if (links.length === 0) return
  const detail = 'Active workflows use the compilable: it cannot be changed into one with flaws.'
  throw conflictProblem('in-use', detail, { links, flaws })
}

/**
 * Changes a compilable: `given` makes the body from what is stored. Throws notFound, 400, 403, and conflict `in-use` when an active
 * workflow uses it and it would have errors.
 */
export function changeCompilable(
  context: CompilableContext,
  key: CompilableKey,
  given: (stored: StoredCompilable) => CompilableWrite,
  { rights, strict, maker, whole = false }: ChangeCompilableOptions,
): Promise<StoredCompilable> {
  return inTransaction(context.db, async (tx) => {
    const own = { ...context, db: tx }
    const stored = await lockCompilable(tx, key)
    const base: CompilableWriteBase = { kept: whole ? null : stored, stored }
    const write = given(stored)
    const content = parseCompilableContent(write, base, createCompilableParser(context, key.account, strict))
    requireCapabilityRights(listValueCapabilities(content.value), listValueCapabilities(stored.value), rights)
    const { name, description, value, preview } = stored
    const isChanged = !isDeepStrictEqual(content.value, value)
    const writtenBy = resolveScriptAuthor(stored.writtenBy, maker, { isChanged, isSent: write.value !== undefined })
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
    const links = await listCompilableLinks(tx, key)
    if (links.length > 0)
      throw conflictProblem(
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
    const copy = { name: findFreeName(name, await listCompilableNames(tx, key.account)), description, value, preview }
    return insert({ ...context, db: tx }, key.account, copy, writtenBy)
  })
}

/** All that is wrong with a compilable. Throws notFound. */
export async function readCompilableFlaws(
  context: CompilableContext,
  { account, id }: CompilableKey,
): Promise<DefinitionFlaw[]> {
  const { value } = await loadCompilable(context.db, { account, id })
  return findCompilableFlaws(context, account, value, id)
}
