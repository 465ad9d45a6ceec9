import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import {
  type CompileContext,
  createCompileContext,
  findExpressionFlaws,
} from '../../../scripting/expressions/compile.ts'
import { createFlaw, type DefinitionFlaw, hasErrorFlaws, sortListedFlaws } from '../../../scripting/flaws.ts'
import type { CompilableCall } from '../../../scripting/schemas/shape.ts'
import { findScriptFlaws } from '../../../scripting/script-flaws.ts'
import { createScriptingObject } from '../../../scripting/scripting-object.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { loadContactShape } from '../../contacts/values/stored-shape.ts'
import { findCriteriaFlaws } from '../../script-host/criteria-flaws.ts'
import { loadImportedWebtasks } from '../../webtasks/stored.ts'
import { findReferenceFlaws } from '../../workflows/definition/references.ts'
import type { CompilableValue } from '../definition/definition.ts'
import { loadUsedCompilables } from '../stored.ts'
import { type CompilableContents, collectCompilableContents } from './contents.ts'
import type { UsedCompilables } from './pushable.ts'
import { findArgumentFlaws, findCompilableUseFlaws, findUsedCompilableIds } from './used-flaws.ts'

/** What compilables are checked with. `db` may be a transaction. */
export type CompilableCheckContext = Pick<ServiceContext, 'db' | 'sandbox'>

/** What the flaws of one account's compilables are found by. */
interface Facts {
  account: AccountId
  shape: ContactShape
  compiling: CompileContext
  used: UsedCompilables
  /** Whether compilables have errors, as far as it was looked for. */
  flawed: Map<string, Promise<boolean>>
}

const ROOT = '/scripting'

/** A compilable holds its scripting in its value. */
const placed = (one: DefinitionFlaw): DefinitionFlaw =>
  one.path === ROOT || one.path.startsWith(`${ROOT}/`) ? { ...one, path: `/value${one.path}` } : one

async function scriptsFlaws(
  { db, sandbox }: CompilableCheckContext,
  account: AccountId,
  value: CompilableValue,
  contents: CompilableContents,
): Promise<DefinitionFlaw[]> {
  const scripting = value.type === 'script' ? value.scripting : createScriptingObject()
  const imported = await loadImportedWebtasks(db, account, scripting)
  return (await findScriptFlaws(sandbox, account, { ...contents, scripting, imported })).map(placed)
}

function isFlawed(context: CompilableCheckContext, facts: Facts, id: string): Promise<boolean> {
  const known = facts.flawed.get(id)
  if (known) return known
  const found = flawsWithin(context, facts, facts.used.get(id)!, id).then(hasErrorFlaws)
  facts.flawed.set(id, found)
  return found
}

/** What is wrong with a compilable that is used. */
async function callFlaws(
  context: CompilableCheckContext,
  facts: Facts,
  call: CompilableCall,
  own: string | null,
): Promise<DefinitionFlaw[]> {
  const flaws = findCompilableUseFlaws(call, facts.used, own)
  if (flaws.length > 0) return flaws
  const { parameters } = facts.used.get(call.id)!
  const isBroken = await isFlawed(context, facts, call.id)
  return [
    ...(isBroken ? [createFlaw('flawed-reference', call.path, `The compilable ${call.id} has flaws.`)] : []),
    ...findArgumentFlaws(call, parameters),
  ]
}

async function flawsWithin(
  context: CompilableCheckContext,
  facts: Facts,
  value: CompilableValue,
  own: string | null,
): Promise<DefinitionFlaw[]> {
  const { account, compiling } = facts
  const contents = collectCompilableContents(value, facts)
  const flaws = [
    ...contents.flaws,
    ...(await findExpressionFlaws(contents.expressions, compiling)),
    ...(await scriptsFlaws(context, account, value, contents)),
    ...(await findReferenceFlaws(context.db, account, contents.references)),
    ...(await findCriteriaFlaws(context.db, account, contents.criteria)),
  ]
  for (const call of contents.calls) flaws.push(...(await callFlaws(context, facts, call, own)))
  return flaws
}

async function loadFacts(db: Db, account: AccountId, ids: readonly string[]): Promise<Facts> {
  const shape = await loadContactShape(db, account)
  const { culture } = await readSendingSettings(db, account)
  const names = shape.fields.map(({ id, name }) => ({ id, name }))
  const used = await loadUsedCompilables(db, account, ids)
  return { account, shape, used, compiling: createCompileContext(culture, [], names), flawed: new Map() }
}

/** All that is wrong with what a compilable does, sorted; at most 200 and one that says so. `id`: of the stored one. */
export async function findCompilableFlaws(
  context: CompilableCheckContext,
  account: AccountId,
  value: CompilableValue,
  id: string | null,
): Promise<DefinitionFlaw[]> {
  const facts = await loadFacts(context.db, account, findUsedCompilableIds(value))
  return sortListedFlaws(await flawsWithin(context, facts, value, id))
}

/** What is wrong with compilables that workflows name, and with the arguments they give. */
export async function findCallFlaws(
  context: CompilableCheckContext,
  account: AccountId,
  named: readonly CompilableCall[],
): Promise<DefinitionFlaw[]> {
  if (named.length === 0) return []
  const facts = await loadFacts(
    context.db,
    account,
    named.map(({ id }) => id),
  )
  const flaws: DefinitionFlaw[] = []
  for (const one of named) {
    const value = facts.used.get(one.id)
    if (value && value.type !== 'pipeline' && !one.isPipeline) {
      const isBroken = await isFlawed(context, facts, one.id)
      if (isBroken) flaws.push(createFlaw('flawed-reference', one.path, `The compilable ${one.id} has flaws.`))
      flaws.push(...findArgumentFlaws(one, value.parameters))
    } else flaws.push(...(await callFlaws(context, facts, one, null)))
  }
  return flaws
}
