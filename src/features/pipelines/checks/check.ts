import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { type Compiling, flawsOfExpressions, openCompiling } from '../../../scripting/expressions/compile.ts'
import { type Flaw, flaw, hasErrors, listed } from '../../../scripting/flaws.ts'
import type { Call } from '../../../scripting/schemas/shape.ts'
import { scriptFlaws } from '../../../scripting/script-flaws.ts'
import { newScripting } from '../../../scripting/scripting-object.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { loadShape } from '../../contacts/values/stored-shape.ts'
import { criteriaFlaws } from '../../script-host/criteria-flaws.ts'
import { loadImported } from '../../webtasks/stored.ts'
import { checkReferences } from '../../workflows/definition/references.ts'
import type { CompilableValue } from '../definition/definition.ts'
import { loadUsed } from '../stored.ts'
import { type Contents, contentsOf } from './contents.ts'
import type { Used } from './pushable.ts'
import { argumentFlaws, compilablesIn, useFlaws } from './used-flaws.ts'

/** What compilables are checked with. `db` may be a transaction. */
export type CheckContext = Pick<Context, 'db' | 'sandbox'>

/** What the flaws of one account's compilables are found by. */
interface Facts {
  account: AccountId
  shape: ContactShape
  compiling: Compiling
  used: Used
  /** Whether compilables have errors, as far as it was looked for. */
  flawed: Map<string, Promise<boolean>>
}

const ROOT = '/scripting'

/** A compilable holds its scripting in its value. */
const placed = (one: Flaw): Flaw =>
  one.path === ROOT || one.path.startsWith(`${ROOT}/`) ? { ...one, path: `/value${one.path}` } : one

async function scriptsFlaws(
  { db, sandbox }: CheckContext,
  account: AccountId,
  value: CompilableValue,
  contents: Contents,
): Promise<Flaw[]> {
  const scripting = value.type === 'script' ? value.scripting : newScripting()
  const imported = await loadImported(db, account, scripting)
  return (await scriptFlaws(sandbox, account, { ...contents, scripting, imported })).map(placed)
}

function isFlawed(context: CheckContext, facts: Facts, id: string): Promise<boolean> {
  const known = facts.flawed.get(id)
  if (known) return known
  const found = flawsWithin(context, facts, facts.used.get(id)!, id).then(hasErrors)
  facts.flawed.set(id, found)
  return found
}

/** What is wrong with a compilable that is used. */
async function callFlaws(context: CheckContext, facts: Facts, call: Call, own: string | null): Promise<Flaw[]> {
  const flaws = useFlaws(call, facts.used, own)
  if (flaws.length > 0) return flaws
  const { parameters } = facts.used.get(call.id)!
  const isBroken = await isFlawed(context, facts, call.id)
  return [
    ...(isBroken ? [flaw('flawed-reference', call.path, `The compilable ${call.id} has flaws.`)] : []),
    ...argumentFlaws(call, parameters),
  ]
}

async function flawsWithin(
  context: CheckContext,
  facts: Facts,
  value: CompilableValue,
  own: string | null,
): Promise<Flaw[]> {
  const { account, compiling } = facts
  const contents = contentsOf(value, facts)
  const flaws = [
    ...contents.flaws,
    ...(await flawsOfExpressions(contents.expressions, compiling)),
    ...(await scriptsFlaws(context, account, value, contents)),
    ...(await checkReferences(context.db, account, contents.references)),
    ...(await criteriaFlaws(context.db, account, contents.criteria)),
  ]
  for (const call of contents.calls) flaws.push(...(await callFlaws(context, facts, call, own)))
  return flaws
}

async function loadFacts(db: Db, account: AccountId, ids: readonly string[]): Promise<Facts> {
  const shape = await loadShape(db, account)
  const { culture } = await readSendingSettings(db, account)
  const names = shape.fields.map(({ id, name }) => ({ id, name }))
  const used = await loadUsed(db, account, ids)
  return { account, shape, used, compiling: openCompiling(culture, [], names), flawed: new Map() }
}

/** All that is wrong with what a compilable does, sorted; at most 200 and one that says so. `id`: of the stored one. */
export async function flawsOf(
  context: CheckContext,
  account: AccountId,
  value: CompilableValue,
  id: string | null,
): Promise<Flaw[]> {
  const facts = await loadFacts(context.db, account, compilablesIn(value))
  return listed(await flawsWithin(context, facts, value, id))
}

/** What is wrong with compilables that workflows name, and with the arguments they give. */
export async function namedFlaws(context: CheckContext, account: AccountId, named: readonly Call[]): Promise<Flaw[]> {
  if (named.length === 0) return []
  const facts = await loadFacts(
    context.db,
    account,
    named.map(({ id }) => id),
  )
  const flaws: Flaw[] = []
  for (const one of named) {
    const value = facts.used.get(one.id)
    if (value && value.type !== 'pipeline' && !one.isPipeline) {
      const isBroken = await isFlawed(context, facts, one.id)
      if (isBroken) flaws.push(flaw('flawed-reference', one.path, `The compilable ${one.id} has flaws.`))
      flaws.push(...argumentFlaws(one, value.parameters))
    } else flaws.push(...(await callFlaws(context, facts, one, null)))
  }
  return flaws
}
