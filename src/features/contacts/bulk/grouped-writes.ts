import type { Db } from '../../../database/connection/connect.ts'
import { isDatabaseUnavailable } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import { createGroupCommit, type GroupCommit } from '../../../lib/concurrency/group-commit.ts'
import { splitByRepeatedKey } from '../../../lib/concurrency/split-by-key.ts'
import { catchProblem, Problem } from '../../../lib/errors/problem.ts'
import { createUnicityConflict } from '../records/changes.ts'
import type { ContactDocument, FlatMap } from '../records/contact-schemas.ts'
import { buildNewContact, type ContactWriteRequest, upsertContact } from '../records/contact-writes.ts'
import { readWrittenRows } from '../records/contacts.ts'
import { createDocumentBuilder } from '../records/documents.ts'
import { requireMandatoryFields } from '../records/flat-map.ts'
import { type ContactWrite, upsertContacts } from '../records/upsert.ts'
import { type ContactWriteContext, runContactWrite } from '../records/write.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import { type ContactShapeLoader, createContactShapeCache } from '../values/stored-shape.ts'

/** Creates and changes contacts for many requests in one transaction. Each succeeds or fails by itself. */
export interface ContactWriter {
  /** Creates a contact. Throws 400 with every fault, 400 `unicity-missing`, conflict `unicity-taken`. */
  create(account: AccountId, body: FlatMap, request: ContactWriteRequest): Promise<ContactDocument>
  /** As upsertContact. */
  upsert(account: AccountId, body: FlatMap, request: ContactWriteRequest): Promise<ContactDocument>
}

/** A create (`isNew`) or an upsert, as it is asked for. */
interface RequestedWrite {
  body: FlatMap
  isNew: boolean
  request: ContactWriteRequest
}

/** A request with its write. */
interface PreparedWrite {
  wanted: RequestedWrite
  write: ContactWrite
}

type WriteOutcome = ContactDocument | Error

type WriterContext = ContactWriteContext & { db: Db; shapes: ContactShapeLoader }

/** Requests in one transaction, and transactions of an account at once: one that waits for a lock delays few others. */
const GROUP_LIMITS = { most: 100, atOnce: 4, gatherMs: 3 }

function prepareWrite(shape: ContactShape, requestedWrite: RequestedWrite): PreparedWrite | Problem {
  const { body, isNew, request } = requestedWrite
  return catchProblem(() => {
    const write = buildNewContact(shape, body, request)
    if (isNew && request.strict) requireMandatoryFields(shape, write.patch)
    return { wanted: requestedWrite, write: { ...write, isNew } }
  })
}

async function writePreparedRun(
  tx: Db,
  shape: ContactShape,
  preparedRun: readonly PreparedWrite[],
  writing: ContactWriteContext,
): Promise<[RequestedWrite, WriteOutcome][]> {
  const writes = preparedRun.map(({ write }) => write)
  const writtenContacts = await upsertContacts(tx, shape, writes, writing)
  const rows = await readWrittenRows(tx, shape, writtenContacts)
  return preparedRun.map(({ wanted: requestedWrite, write }) => {
    const row = rows.get(write.key)
    return [
      requestedWrite,
      row ? createDocumentBuilder(shape, requestedWrite.request.view)(row) : createUnicityConflict(write.unicity)(),
    ]
  })
}

/** Does all writes in one transaction. A fault of a request is its outcome, and affects no other. */
function writeTogether(
  { db, shapes, ...writing }: WriterContext,
  account: AccountId,
  requestedWrites: readonly RequestedWrite[],
) {
  const work = async (tx: Db, shape: ContactShape): Promise<WriteOutcome[]> => {
    const outcomes = new Map<RequestedWrite, WriteOutcome>()
    const preparedWrites: PreparedWrite[] = []
    for (const requestedWrite of requestedWrites) {
      const write = prepareWrite(shape, requestedWrite)
      if (write instanceof Problem) outcomes.set(requestedWrite, write)
      else preparedWrites.push(write)
    }
    for (const writeRun of splitByRepeatedKey(preparedWrites, ({ write }) => write.key)) {
      for (const [requestedWrite, outcome] of await writePreparedRun(tx, shape, writeRun, writing))
        outcomes.set(requestedWrite, outcome)
    }
    return requestedWrites.map((requestedWrite) => outcomes.get(requestedWrite) ?? new Error('a write has no outcome'))
  }
  return runContactWrite(db, account, work, shapes)
}

/** As writeTogether; a group that the database refuses is retried one by one, so that only the faulty write fails. */
async function writeGroupOrEach(
  writerContext: WriterContext,
  account: AccountId,
  requestedWrites: readonly RequestedWrite[],
): Promise<WriteOutcome[]> {
  try {
    return await writeTogether(writerContext, account, requestedWrites)
  } catch (error) {
    if (requestedWrites.length === 1 || isDatabaseUnavailable(error)) throw error
    const outcomes: WriteOutcome[] = []
    for (const requestedWrite of requestedWrites) {
      const singleWrite = writeTogether(writerContext, account, [requestedWrite])
      outcomes.push(
        ...(await singleWrite.catch((reason) => [reason instanceof Error ? reason : new Error(String(reason))])),
      )
    }
    return outcomes
  }
}

/** Groups the writes of each account; made once per process. */
export function createContactWriter({ db, clock, masterKeys }: ContactWriteContext & { db: Db }): ContactWriter {
  const writerContext = { db, clock, masterKeys, shapes: createContactShapeCache() }
  const groups = new Map<AccountId, GroupCommit<RequestedWrite, ContactDocument>>()
  function findOrCreateGroup(account: AccountId): GroupCommit<RequestedWrite, ContactDocument> {
    let group = groups.get(account)
    if (!group)
      groups.set(
        account,
        (group = createGroupCommit(
          (groupedWrites) => writeGroupOrEach(writerContext, account, groupedWrites),
          GROUP_LIMITS,
        )),
      )
    return group
  }
  return {
    create: (account, body, request) => findOrCreateGroup(account).add({ body, isNew: true, request }),
    // A rename, and a fault of a contact that turns out to be new, roll back a whole transaction.
    upsert: (account, body, request) =>
      request.unicity !== undefined || request.strict
        ? upsertContact(db, account, body, { ...request, shapes: writerContext.shapes })
        : findOrCreateGroup(account).add({ body, isNew: false, request }),
  }
}
