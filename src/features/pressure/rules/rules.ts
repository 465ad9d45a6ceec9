import { sql } from 'kysely'
import { type Db, inTransaction, json } from '../../../database/connection/connect.ts'
import { refusing } from '../../../database/errors.ts'
import { rows } from '../../../database/rows/stream.ts'
import type { AccountId } from '../../../lib/account.ts'
import { conflict, notFound } from '../../../lib/errors/problem.ts'
import { uuidV7 } from '../../../lib/ids.ts'
import { fold } from '../../../lib/text/fold.ts'
import type { Predicate, Rule, RuleBody } from '../pressure-schemas.ts'
import { requireTopics } from '../topics.ts'
import { type Change, type MadeRow, madeBy, readLabel } from './labels.ts'
import { readPredicate, topicsOf } from './rule-reading.ts'

const MAX_RULES = 50

interface Row extends MadeRow {
  id: string
  label: string
  active: boolean
  predicate: Predicate
}

const columns = sql`id, label, active, predicate, created_at, updated_at, created_by, modified_by, creator, modifier`

function show(row: Row): Rule {
  const { id, label, active, predicate } = row
  return { id, label, active, predicate, ...madeBy(row) }
}

/** What rooms to the right do when rules change. */
export interface RulePorts {
  /** Has messages that wait because of a rule asked again. */
  askAgain(tx: Db, account: AccountId, now: Date): Promise<void>
}

/** Every rule, by creation. */
export async function* listRules(
  db: Db,
  account: AccountId,
  { after, limit }: { after: string | undefined; limit: number | undefined },
): AsyncGenerator<Rule> {
  const query = sql<Row>`
    select ${columns} from pressure_rules
    where account = ${account} ${after === undefined ? sql`` : sql`and id > ${after}::uuid`}
    order by id limit ${limit ?? null}::integer`
  for await (const row of rows(db, query)) yield show(row)
}

/** One rule. Throws notFound. */
export async function readRule(db: Db, account: AccountId, id: string): Promise<Rule> {
  const { rows: found } = await sql<Row>`
    select ${columns} from pressure_rules where account = ${account} and id = ${id}`.execute(db)
  const [row] = found
  if (!row) throw notFound('rule', id)
  return show(row)
}

/** Locks a rule until the transaction ends. Throws notFound. */
export async function lockRule(tx: Db, account: AccountId, id: string): Promise<void> {
  const { rows: found } = await sql`
    select from pressure_rules where account = ${account} and id = ${id} for update`.execute(tx)
  if (found.length === 0) throw notFound('rule', id)
}

const refusals = { unique: () => conflict('rule-label-taken', 'Another rule has this label: choose another one.') }

/** Makes a rule. Throws 400, notFound (topic), conflict when the label is taken or there are 50. */
export function createRule(db: Db, body: RuleBody, change: Change, { askAgain }: RulePorts): Promise<Rule> {
  const { account, actor, now } = change
  const [label, predicate] = [readLabel(body.label), readPredicate(body.predicate)]
  return inTransaction(db, async (tx) => {
    // One at a time, so that their number holds.
    await sql`select from accounts where id = ${account} for no key update`.execute(tx)
    await requireTopics(tx, account, topicsOf(predicate))
    const { rows: found } = await sql<{ n: number }>`
      select count(*)::integer as n from pressure_rules where account = ${account}`.execute(tx)
    if ((found[0]?.n ?? 0) >= MAX_RULES) throw conflict('too-many-rules', `An account has at most ${MAX_RULES} rules.`)
    const id = uuidV7(now.getTime())
    const insert = sql`
      insert into pressure_rules (id, account, label, label_folded, active, predicate, created_at, updated_at, created_by, modified_by, creator, modifier)
      values (${id}, ${account}, ${label}, ${fold(label)}, ${body.active ?? true}, ${json(predicate)}, ${now}, ${now}, ${actor.name}, ${actor.name}, ${json(actor)}, ${json(actor)})`
    await refusing(insert.execute(tx), refusals)
    await askAgain(tx, account, now)
    return readRule(tx, account, id)
  })
}

/** Changes the members given; the predicate is replaced whole. Throws as createRule, and notFound. */
export function updateRule(
  db: Db,
  id: string,
  body: RuleBody,
  { askAgain, ...change }: Change & RulePorts,
): Promise<Rule> {
  const { account, actor, now } = change
  const label = body.label === undefined ? null : readLabel(body.label)
  const predicate = body.predicate === undefined ? null : readPredicate(body.predicate)
  return inTransaction(db, async (tx) => {
    await lockRule(tx, account, id)
    if (predicate) await requireTopics(tx, account, topicsOf(predicate))
    const update = sql`
      update pressure_rules set label = coalesce(${label}, label),
        label_folded = coalesce(${label === null ? null : fold(label)}, label_folded),
        active = coalesce(${body.active ?? null}, active),
        predicate = coalesce(${predicate && json(predicate)}::jsonb, predicate), updated_at = ${now}, modified_by = ${actor.name}, modifier = ${json(actor)}
      where account = ${account} and id = ${id}`
    await refusing(update.execute(tx), refusals)
    await askAgain(tx, account, now)
    return readRule(tx, account, id)
  })
}

/** Deletes a rule. Throws notFound. */
export function deleteRule(
  db: Db,
  { account, id }: { account: AccountId; id: string },
  now: Date,
  { askAgain }: RulePorts,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { numAffectedRows } = await sql`
      delete from pressure_rules where account = ${account} and id = ${id}`.execute(tx)
    if (numAffectedRows === 0n) throw notFound('rule', id)
    await askAgain(tx, account, now)
  })
}
