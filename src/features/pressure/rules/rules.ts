import { sql } from 'kysely'
import { type Db, inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../../database/errors.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { AccountId, LockedObject } from '../../../lib/account.ts'
import { conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { createUuidV7 } from '../../../lib/ids.ts'
import { foldUnicodeCase } from '../../../lib/text/fold.ts'
import type { PressurePredicate, PressureRule, PressureRuleBody } from '../pressure-schemas.ts'
import { requirePressureTopics } from '../topics.ts'
import { type AuthoredPressureRow, formatAuthorship, type PressureChangeAuthor, parsePressureLabel } from './labels.ts'
import { listPredicateTopics, parsePressurePredicate } from './rule-reading.ts'

const MAX_RULES = 50

interface RuleRow extends AuthoredPressureRow {
  id: string
  label: string
  active: boolean
  predicate: PressurePredicate
}

const ruleColumns = sql`id, label, active, predicate, created_at, updated_at, created_by, modified_by, creator, modifier`

function toPressureRule(row: RuleRow): PressureRule {
  const { id, label, active, predicate } = row
  return { id, label, active, predicate, ...formatAuthorship(row) }
}

/** Functions of other features that run when rules change. */
export interface PressureRulePorts {
  /** Has messages that wait because of a rule asked again. */
  askAgain(tx: Db, account: AccountId, now: Date): Promise<void>
}

/** Every rule, by creation. */
export async function* listPressureRules(
  db: Db,
  account: AccountId,
  { after, limit }: { after: string | undefined; limit: number | undefined },
): AsyncGenerator<PressureRule> {
  const query = sql<RuleRow>`
    select ${ruleColumns} from pressure_rules
    where account = ${account} ${after === undefined ? sql`` : sql`and id > ${after}::uuid`}
    order by id limit ${limit ?? null}::integer`
  for await (const row of streamRows(db, query)) yield toPressureRule(row)
}

/** One rule. Throws notFound. */
export async function loadPressureRule(db: Db, account: AccountId, id: string): Promise<PressureRule> {
  const { rows: ruleRows } = await sql<RuleRow>`
    select ${ruleColumns} from pressure_rules where account = ${account} and id = ${id}`.execute(db)
  const [row] = ruleRows
  if (!row) throw notFoundProblem('rule', id)
  return toPressureRule(row)
}

/** Locks a rule until the transaction ends and loads it. Throws notFound. */
export async function lockPressureRule(tx: Db, account: AccountId, id: string): Promise<PressureRule> {
  await sql`select from pressure_rules where account = ${account} and id = ${id} for update`.execute(tx)
  return loadPressureRule(tx, account, id)
}

const constraintProblems = {
  unique: () => conflictProblem('rule-label-taken', 'Another rule has this label. Choose another one.'),
}

/** Makes a rule. Throws 400, notFound (topic), conflict when the label is taken or there are 50. */
export function createPressureRule(
  db: Db,
  body: PressureRuleBody,
  change: PressureChangeAuthor,
  { askAgain }: PressureRulePorts,
): Promise<PressureRule> {
  const { account, actor, now } = change
  const [label, predicate] = [parsePressureLabel(body.label), parsePressurePredicate(body.predicate)]
  return inTransaction(db, async (tx) => {
    // One at a time, so that their number holds.
    await sql`select from accounts where id = ${account} for no key update`.execute(tx)
    await requirePressureTopics(tx, account, listPredicateTopics(predicate))
    const { rows: countRows } = await sql<{ n: number }>`
      select count(*)::integer as n from pressure_rules where account = ${account}`.execute(tx)
    if ((countRows[0]?.n ?? 0) >= MAX_RULES)
      throw conflictProblem('too-many-rules', `An account can have at most ${MAX_RULES} rules.`)
    const id = createUuidV7(now.getTime())
    const insertQuery = sql`
      insert into pressure_rules (id, account, label, label_folded, active, predicate, created_at, updated_at, created_by, modified_by, creator, modifier)
      values (${id}, ${account}, ${label}, ${foldUnicodeCase(label)}, ${body.active ?? true}, ${toJsonbText(predicate)}, ${now}, ${now}, ${actor.name}, ${actor.name}, ${toJsonbText(actor)}, ${toJsonbText(actor)})`
    await mapConstraintErrors(insertQuery.execute(tx), constraintProblems)
    await askAgain(tx, account, now)
    return loadPressureRule(tx, account, id)
  })
}

/** Changes the members given of a locked rule; the predicate is replaced whole. Throws as createPressureRule. */
export async function updatePressureRule(
  tx: Db,
  { account, id }: LockedObject<string, PressureRule>,
  body: PressureRuleBody,
  { askAgain, actor, now }: PressureChangeAuthor & PressureRulePorts,
): Promise<PressureRule> {
  const label = body.label === undefined ? null : parsePressureLabel(body.label)
  const predicate = body.predicate === undefined ? null : parsePressurePredicate(body.predicate)
  if (predicate) await requirePressureTopics(tx, account, listPredicateTopics(predicate))
  const updateQuery = sql`
    update pressure_rules set label = coalesce(${label}, label),
      label_folded = coalesce(${label === null ? null : foldUnicodeCase(label)}, label_folded),
      active = coalesce(${body.active ?? null}, active),
      predicate = coalesce(${predicate && toJsonbText(predicate)}::jsonb, predicate), updated_at = ${now}, modified_by = ${actor.name}, modifier = ${toJsonbText(actor)}
    where account = ${account} and id = ${id}`
  await mapConstraintErrors(updateQuery.execute(tx), constraintProblems)
  await askAgain(tx, account, now)
  return loadPressureRule(tx, account, id)
}

/** Deletes a locked rule. */
export async function deletePressureRule(
  tx: Db,
  { account, id }: LockedObject<string, PressureRule>,
  now: Date,
  { askAgain }: PressureRulePorts,
): Promise<void> {
  await sql`delete from pressure_rules where account = ${account} and id = ${id}`.execute(tx)
  await askAgain(tx, account, now)
}
