import type { Db } from '../../../database/connection/connect.ts'
import { isDatabaseUnavailable } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import { createGroupCommit, type GroupCommit } from '../../../lib/concurrency/group-commit.ts'
import { splitByRepeatedKey } from '../../../lib/concurrency/turns.ts'
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
interface Wanted {
  body: FlatMap
  isNew: boolean
  request: ContactWriteRequest
}

/** A request with its write. */
interface Prepared {
  wanted: Wanted
  write: ContactWrite
}

type Outcome = ContactDocument | Error

type Keeping = ContactWriteContext & { db: Db; shapes: ContactShapeLoader }

/** Requests in one transaction, and transactions of an account at once: one that waits for a lock delays few others. */
const GROUPS = { most: 100, atOnce: 4, gatherMs: 3 }

function prepare(shape: ContactShape, wanted: Wanted): Prepared | Problem {
  const { body, isNew, request } = wanted
  return catchProblem(() => {
    const write = buildNewContact(shape, body, request)
    if (isNew && request.strict) requireMandatoryFields(shape, write.patch)
    return { wanted, write: { ...write, isNew } }
  })
}

async function lockRun(
  tx: Db,
  shape: ContactShape,
  turn: readonly Prepared[],
  writing: ContactWriteContext,
): Promise<[Wanted, Outcome][]> {
  const writes = turn.map(({ write }) => write)
  const written = await upsertContacts(tx, shape, writes, writing)
  const rows = await readWrittenRows(tx, shape, written)
  return turn.map(({ wanted, write }) => {
    const row = rows.get(write.key)
    return [
      wanted,
      row ? createDocumentBuilder(shape, wanted.request.view)(row) : createUnicityConflict(write.unicity)(),
    ]
  })
}

/** Does all writes in one transaction. A fault of a request is its outcome, and affects no other. */
function writeTogether({ db, shapes, ...writing }: Keeping, account: AccountId, wanted: readonly Wanted[]) {
  const work = async (tx: Db, shape: ContactShape): Promise<Outcome[]> => {
    const outcomes = new Map<Wanted, Outcome>()
    const prepared: Prepared[] = []
    for (const one of wanted) {
      const write = prepare(shape, one)
      if (write instanceof Problem) outcomes.set(one, write)
      else prepared.push(write)
    }
    for (const turn of splitByRepeatedKey(prepared, ({ write }) => write.key)) {
      for (const [one, outcome] of await lockRun(tx, shape, turn, writing)) outcomes.set(one, outcome)
    }
    return wanted.map((one) => outcomes.get(one) ?? new Error('A write has no outcome.'))
  }
  return runContactWrite(db, account, work, shapes)
}

/** As writeTogether; a group that the database refuses is retried one by one, so that only the faulty write fails. */
async function writeGroup(keeping: Keeping, account: AccountId, wanted: readonly Wanted[]): Promise<Outcome[]> {
  try {
    return await writeTogether(keeping, account, wanted)
  } catch (error) {
    if (wanted.length === 1 || isDatabaseUnavailable(error)) throw error
    const outcomes: Outcome[] = []
    for (const one of wanted) {
      const alone = writeTogether(keeping, account, [one])
      outcomes.push(...(await alone.catch((reason) => [reason instanceof Error ? reason : new Error(String(reason))])))
    }
    return outcomes
  }
}

/** Groups the writes of each account; made once per process. */
export function createContactWriter({ db, clock, masterKeys }: ContactWriteContext & { db: Db }): ContactWriter {
  const keeping = { db, clock, masterKeys, shapes: createContactShapeCache() }
  const groups = new Map<AccountId, GroupCommit<Wanted, ContactDocument>>()
  function groupOf(account: AccountId): GroupCommit<Wanted, ContactDocument> {
    let group = groups.get(account)
    if (!group)
      groups.set(account, (group = createGroupCommit((wanted) => writeGroup(keeping, account, wanted), GROUPS)))
    return group
  }
  return {
    create: (account, body, request) => groupOf(account).add({ body, isNew: true, request }),
    // A rename, and a fault of a contact that turns out to be new, roll back a whole transaction.
    upsert: (account, body, request) =>
      request.unicity !== undefined || request.strict
        ? upsertContact(db, account, body, { ...request, shapes: keeping.shapes })
        : groupOf(account).add({ body, isNew: false, request }),
  }
}
