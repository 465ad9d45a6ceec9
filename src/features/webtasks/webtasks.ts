import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { ServiceContext } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import type { AccountId, DefinitionWriter } from '../../lib/account.ts'
import { conflictProblem } from '../../lib/errors/problem.ts'
import { requireCapabilityRights } from '../../scripting/capabilities.ts'
import type { DefinitionFlaw } from '../../scripting/flaws.ts'
import { listImportedWebtaskIds } from '../../scripting/imports.ts'
import { listCapabilities } from '../../scripting/scripting-object.ts'
import { createScriptSecretSealer } from '../../scripting/secrets.ts'
import { resolveScriptAuthor } from '../script-host/run-refusals.ts'
import { findWebtaskFlaws, requireRunnableWebtask } from './check.ts'
import { requireRunnableImporters } from './importers.ts'
import {
  createWebtaskContent,
  parseWebtaskContent,
  type WebtaskContent,
  type WebtaskParseContext,
  type WebtaskWrite,
} from './reading.ts'
import {
  insertWebtask,
  loadWebtask,
  lockWebtask,
  type StoredWebtask,
  updateWebtaskContent,
  type WebtaskKey,
} from './stored.ts'

const MAX_WEBTASKS = 1000
const CIPHER_ID_BYTES = 16

/** Context of changes to webtasks. `db` may be a transaction. */
export type WebtaskContext = Pick<ServiceContext, 'db' | 'clock' | 'masterKeys' | 'sandbox'>

const createParseContext = (
  { clock, masterKeys }: WebtaskContext,
  account: AccountId,
  strict: boolean,
): WebtaskParseContext => ({
  secrets: createScriptSecretSealer(masterKeys, account),
  now: clock.now(),
  strict,
})

/** Webtasks of an account that import others are written one at a time: two at once could make a cycle. */
async function lockWebtaskImports(tx: Db, account: AccountId): Promise<void> {
  await sql`select from accounts where id = ${account} for no key update`.execute(tx)
}

async function requireCapacity(tx: Db, account: AccountId): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from webtasks where account = ${account}`.execute(tx)
  if ((rows[0]?.n ?? 0) >= MAX_WEBTASKS)
    throw conflictProblem('too-many-webtasks', `An account can have at most ${MAX_WEBTASKS} webtasks.`)
}

/** Problem of an imported webtask that another request deleted after the check. */
const IMPORT_DELETED_ERROR = {
  foreignKey: () =>
    conflictProblem('webtask-gone', 'An imported webtask was deleted in the meantime. Send the request again.'),
}

/** The bytes of a webtask that its tokens hold. */
export function createCipherId(): Buffer {
  return randomBytes(CIPHER_ID_BYTES)
}

/** Makes a webtask. Throws 400, also for flaws; 403 for capabilities; conflict when there are 1,000. */
export async function createWebtask(
  context: WebtaskContext,
  account: AccountId,
  write: WebtaskWrite,
  { rights, strict, maker }: DefinitionWriter,
): Promise<StoredWebtask> {
  const parseContext = createParseContext(context, account, strict)
  const defaultContent = createWebtaskContent()
  const content = parseWebtaskContent(write, { kept: defaultContent, stored: defaultContent.scripting }, parseContext)
  requireCapabilityRights(listCapabilities(content.scripting), [], rights)
  // What the sandbox finds is known afterwards, while others wait.
  await requireRunnableWebtask(context, account, content)
  return inTransaction(context.db, async (tx) => {
    await lockWebtaskImports(tx, account)
    await requireCapacity(tx, account)
    await requireRunnableWebtask({ ...context, db: tx }, account, content)
    const origin = { cipherId: createCipherId(), writtenBy: maker, now: new Date(parseContext.now) }
    const id = await mapConstraintErrors(insertWebtask(tx, account, content, origin), IMPORT_DELETED_ERROR)
    return loadWebtask(tx, { account, id })
  })
}

/** Options for parsing a change. */
export interface ChangeWebtaskOptions extends DefinitionWriter {
  /** Absent members take their defaults: the body is the whole webtask. */
  whole?: boolean
}

const toContent = ({ name, description, scripting, settings, source }: StoredWebtask): WebtaskContent => ({
  name,
  description,
  scripting,
  settings,
  source,
})

/** The part of a webtask that decides what it does: everything but its name and description. */
const extractBehaviour = ({ scripting, settings, source }: WebtaskContent) => ({ scripting, settings, source })

/**
 * Changes a locked webtask. It counts from the next run on. What changes nothing is not written.
 * Throws 400, also for flaws, 403 for capabilities, and conflict `in-use` for webtasks that import what is gone.
 */
export async function changeWebtask(
  context: WebtaskContext,
  storedWebtask: StoredWebtask,
  write: WebtaskWrite,
  { rights, strict, maker, whole = false }: ChangeWebtaskOptions,
): Promise<StoredWebtask> {
  const { db: tx } = context
  const { account, id } = storedWebtask
  const parseContext = createParseContext(context, account, strict)
  const baseContent = whole ? createWebtaskContent() : toContent(storedWebtask)
  const content = parseWebtaskContent(write, { kept: baseContent, stored: storedWebtask.scripting }, parseContext)
  requireCapabilityRights(listCapabilities(content.scripting), listCapabilities(storedWebtask.scripting), rights)
  const isChanged = !isDeepStrictEqual(extractBehaviour(content), extractBehaviour(storedWebtask))
  const writtenBy = resolveScriptAuthor(storedWebtask.writtenBy, maker, {
    isChanged,
    isSent: write.value !== undefined,
  })
  if (isDeepStrictEqual(content, toContent(storedWebtask)) && writtenBy === storedWebtask.writtenBy)
    return storedWebtask
  if (listImportedWebtaskIds(content.scripting.imports).length > 0) await lockWebtaskImports(tx, account)
  await requireRunnableWebtask(context, account, content, id)
  await mapConstraintErrors(
    updateWebtaskContent(tx, storedWebtask, content, { writtenBy, now: new Date(parseContext.now) }),
    IMPORT_DELETED_ERROR,
  )
  if (content.source !== storedWebtask.source) await requireRunnableImporters(context, storedWebtask)
  return loadWebtask(tx, storedWebtask)
}

/** A webtask as it is being written; `id`: of the stored one whose absent members it keeps. */
export interface UnsavedWebtask extends Pick<WebtaskWrite, 'scripting' | 'value'> {
  id?: number | undefined
}

/** Flaws of a webtask that is not stored yet, or not in this form. Nothing is stored or run. Throws notFound and 400. */
export async function checkWebtask(
  context: WebtaskContext,
  account: AccountId,
  { id, ...write }: UnsavedWebtask,
  { strict }: Pick<DefinitionWriter, 'strict'>,
): Promise<DefinitionFlaw[]> {
  const baseContent =
    id === undefined ? createWebtaskContent() : toContent(await loadWebtask(context.db, { account, id }))
  const writeBase = { kept: { ...baseContent, name: baseContent.name ?? '' }, stored: baseContent.scripting }
  return findWebtaskFlaws(
    context,
    account,
    parseWebtaskContent(write, writeBase, createParseContext(context, account, strict)),
    id,
  )
}

/** Gives a webtask other bytes for its tokens: those made so far are good for nothing. Throws notFound. */
export async function renewWebtaskCipher(db: Db, key: WebtaskKey): Promise<void> {
  const cipherId = createCipherId()
  await inTransaction(db, async (tx) => {
    await lockWebtask(tx, key)
    await tx
      .updateTable('webtasks')
      .set({ cipher_id: cipherId })
      .where('account', '=', key.account)
      .where('id', '=', key.id)
      .execute()
  })
}
