import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { ServiceContext } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccountId, CreatorId, DefinitionWriter, LockedObject } from '../../lib/account.ts'
import { conflictProblem } from '../../lib/errors/problem.ts'
import { createUuidV7 } from '../../lib/ids.ts'
import { formatCount } from '../../lib/text/nouns.ts'
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
  removeCompilable,
  type StoredCompilable,
  storeCompilableState,
  updateCompilable,
} from './stored.ts'

const MAX_COMPILABLES = 1000

/** Context of compilables. `db` may be a transaction. */
export type CompilableContext = Pick<ServiceContext, 'db' | 'clock' | 'masterKeys' | 'sandbox'>

/** Finds the state of a compilable that was just written; gives its flaws. */
async function refreshState(context: CompilableContext, key: CompilableKey): Promise<DefinitionFlaw[]> {
  const { db } = context
  // First what it is found by: what changes from then on is met at the next read.
  const { value, ...basisFields } = await loadCompilableBasis(db, key)
  const flaws = await findCompilableFlaws(context, key.account, value, key.id)
  await storeCompilableState(db, key.account, basisFields, hasErrorFlaws(flaws) ? 'draft' : 'ready')
  return flaws
}

/** Finds the states again of compilables that use what has changed: all of an account, or one. */
export async function refreshCompilableStates(
  context: CompilableContext,
  account: AccountId,
  id: string | null,
): Promise<void> {
  for (const staleCompilable of await findStaleCompilables(context.db, account, id)) {
    const flaws = await findCompilableFlaws(context, account, staleCompilable.value, staleCompilable.id)
    await storeCompilableState(context.db, account, staleCompilable, hasErrorFlaws(flaws) ? 'draft' : 'ready')
  }
}

/** One compilable, its state as it is now. Throws notFound. */
export async function readCompilable(context: CompilableContext, key: CompilableKey): Promise<StoredCompilable> {
  await refreshCompilableStates(context, key.account, key.id)
  return loadCompilable(context.db, key)
}

/** Throws conflict when the account has as many compilables as it can have; others that would be made wait. */
async function requireCapacity(tx: Db, account: AccountId): Promise<void> {
  await sql`select from accounts where id = ${account} for no key update`.execute(tx)
  if ((await countCompilables(tx, account)) >= MAX_COMPILABLES)
    throw conflictProblem('too-many-compilables', `An account can have at most ${MAX_COMPILABLES} compilables.`)
}

async function storeNewCompilable(
  context: CompilableContext,
  account: AccountId,
  content: CompilableContent,
  writtenBy: CreatorId,
): Promise<StoredCompilable> {
  const { db, clock } = context
  const key = { account, id: createUuidV7(clock.now()) }
  await insertCompilable(db, key, content, { writtenBy, now: new Date(clock.now()) })
  await refreshState(context, key)
  return loadCompilable(db, key)
}

/** Makes a compilable, whatever its flaws. Throws 400, 403 for capabilities, conflict when there are 1,000. */
export async function createCompilable(
  context: CompilableContext,
  account: AccountId,
  compilableInput: CompilableWrite,
  { rights, strict, maker }: DefinitionWriter,
): Promise<StoredCompilable> {
  const content = parseCompilableContent(
    compilableInput,
    { kept: null, stored: null },
    createCompilableParser(context, account, strict),
  )
  requireCapabilityRights(listValueCapabilities(content.value), [], rights)
  // Its scripts are read before anything is locked.
  await findCompilableFlaws(context, account, content.value, null)
  return inTransaction(context.db, async (tx) => {
    await requireCapacity(tx, account)
    return storeNewCompilable({ ...context, db: tx }, account, content, maker)
  })
}

/** Options for parsing a change. */
export interface ChangeCompilableOptions extends DefinitionWriter {
  /** Absent members take their defaults: the body is the whole compilable. */
  whole?: boolean
}

/** Throws conflict `in-use` where an active workflow would use a compilable with errors. */
async function requireUnbrokenUse(tx: Db, key: CompilableKey, flaws: readonly DefinitionFlaw[]): Promise<void> {
  if (!hasErrorFlaws(flaws)) return
  const links = await findWorkflowsUsing(tx, key)
  if (links.length === 0) return
  const detail = 'Active workflows use the compilable, so a change must not introduce flaws.'
  throw conflictProblem('in-use', detail, { links, flaws })
}

/**
 * Changes a locked compilable. Throws 400, 403, and conflict `in-use` when an active
 * workflow uses it and it would have errors.
 */
export async function changeCompilable(
  context: CompilableContext,
  { account, id, stored: storedCompilable }: LockedObject<string, StoredCompilable>,
  write: CompilableWrite,
  { rights, strict, maker, whole = false }: ChangeCompilableOptions,
): Promise<StoredCompilable> {
  const { db: tx } = context
  const key = { account, id }
  const writeBase: CompilableWriteBase = { kept: whole ? null : storedCompilable, stored: storedCompilable }
  const content = parseCompilableContent(write, writeBase, createCompilableParser(context, account, strict))
  requireCapabilityRights(listValueCapabilities(content.value), listValueCapabilities(storedCompilable.value), rights)
  const { name, description, value, preview } = storedCompilable
  const isChanged = !isDeepStrictEqual(content.value, value)
  const writtenBy = resolveScriptAuthor(storedCompilable.writtenBy, maker, {
    isChanged,
    isSent: write.value !== undefined,
  })
  const isUnchanged = isDeepStrictEqual(content, { name, description, value, preview })
  if (isUnchanged && writtenBy === storedCompilable.writtenBy) return readCompilable(context, key)
  await updateCompilable(tx, key, content, { writtenBy, now: new Date(context.clock.now()) })
  await requireUnbrokenUse(tx, key, await refreshState(context, key))
  return loadCompilable(tx, key)
}

/** Deletes a locked compilable. Throws conflict `in-use` with what uses it. */
export async function deleteCompilable(tx: Db, key: LockedObject<string, StoredCompilable>): Promise<void> {
  const links = await listCompilableLinks(tx, key)
  if (links.length > 0) {
    throw conflictProblem(
      'in-use',
      `The compilable is used by ${formatCount(links.length, 'object')}. Remove it there first.`,
      { links },
    )
  }
  await removeCompilable(tx, key)
}

/** Copies a compilable under a name of its own. Throws notFound, conflict when there are 1,000. */
export function duplicateCompilable(context: CompilableContext, key: CompilableKey): Promise<StoredCompilable> {
  return inTransaction(context.db, async (tx) => {
    await requireCapacity(tx, key.account)
    const { name, description, value, preview, writtenBy } = await loadCompilable(tx, key)
    const copiedContent = {
      name: findFreeName(name, await listCompilableNames(tx, key.account)),
      description,
      value,
      preview,
    }
    return storeNewCompilable({ ...context, db: tx }, key.account, copiedContent, writtenBy)
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
