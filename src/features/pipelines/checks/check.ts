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
import { findReferenceFlaws } from '../../workflows/definition/reference-flaws.ts'
import type { CompilableValue } from '../definition/definition.ts'
import { loadUsedCompilables } from '../stored.ts'
import { type CompilableContents, collectCompilableContents } from './contents.ts'
import type { UsedCompilables } from './pushable.ts'
import { findArgumentFlaws, findCompilableUseFlaws, findUsedCompilableIds } from './used-flaws.ts'

/** Context for checking compilables. `db` may be a transaction. */
export type CompilableCheckContext = Pick<ServiceContext, 'db' | 'sandbox'>

/** Data that the checks of one account's compilables need. */
interface CheckFacts {
  account: AccountId
  shape: ContactShape
  compiling: CompileContext
  used: UsedCompilables
  /** Results for compilables whose errors were checked so far: true if there are any. */
  flawed: Map<string, Promise<boolean>>
}

const SCRIPTING_POINTER = '/scripting'

/** A compilable holds its scripting in its value. */
const toValuePath = (definitionFlaw: DefinitionFlaw): DefinitionFlaw =>
  definitionFlaw.path === SCRIPTING_POINTER || definitionFlaw.path.startsWith(`${SCRIPTING_POINTER}/`)
    ? { ...definitionFlaw, path: `/value${definitionFlaw.path}` }
    : definitionFlaw

async function collectScriptFlaws(
  { db, sandbox }: CompilableCheckContext,
  account: AccountId,
  value: CompilableValue,
  contents: CompilableContents,
): Promise<DefinitionFlaw[]> {
  const scripting = value.type === 'script' ? value.scripting : createScriptingObject()
  const imported = await loadImportedWebtasks(db, account, scripting)
  return (await findScriptFlaws(sandbox, account, { ...contents, scripting, imported })).map(toValuePath)
}

function hasErrors(context: CompilableCheckContext, facts: CheckFacts, id: string): Promise<boolean> {
  const cachedResult = facts.flawed.get(id)
  if (cachedResult) return cachedResult
  const checkResult = findValueFlaws(context, facts, facts.used.get(id)!, id).then(hasErrorFlaws)
  facts.flawed.set(id, checkResult)
  return checkResult
}

/** Flaws of a compilable that is used by another. */
async function findUseFlaws(
  context: CompilableCheckContext,
  facts: CheckFacts,
  call: CompilableCall,
  compilableId: string | null,
): Promise<DefinitionFlaw[]> {
  const flaws = findCompilableUseFlaws(call, facts.used, compilableId)
  if (flaws.length > 0) return flaws
  const { parameters } = facts.used.get(call.id)!
  const isBroken = await hasErrors(context, facts, call.id)
  return [
    ...(isBroken ? [createFlaw('flawed-reference', call.path, `The compilable ${call.id} has flaws.`)] : []),
    ...findArgumentFlaws(call, parameters),
  ]
}

async function findValueFlaws(
  context: CompilableCheckContext,
  facts: CheckFacts,
  value: CompilableValue,
  compilableId: string | null,
): Promise<DefinitionFlaw[]> {
  const { account, compiling } = facts
  const contents = collectCompilableContents(value, facts)
  const flaws = [
    ...contents.flaws,
    ...(await findExpressionFlaws(contents.expressions, compiling)),
    ...(await collectScriptFlaws(context, account, value, contents)),
    ...(await findReferenceFlaws(context.db, account, contents.references)),
    ...(await findCriteriaFlaws(context.db, account, contents.criteria)),
  ]
  for (const call of contents.calls) flaws.push(...(await findUseFlaws(context, facts, call, compilableId)))
  return flaws
}

async function loadCheckFacts(db: Db, account: AccountId, ids: readonly string[]): Promise<CheckFacts> {
  const shape = await loadContactShape(db, account)
  const { culture } = await readSendingSettings(db, account)
  const fieldNames = shape.fields.map(({ id, name }) => ({ id, name }))
  const usedCompilables = await loadUsedCompilables(db, account, ids)
  return {
    account,
    shape,
    used: usedCompilables,
    compiling: createCompileContext(culture, [], fieldNames),
    flawed: new Map(),
  }
}

/** All that is wrong with what a compilable does, sorted; at most 200 and one that says so. `id`: of the stored one. */
export async function findCompilableFlaws(
  context: CompilableCheckContext,
  account: AccountId,
  value: CompilableValue,
  id: string | null,
): Promise<DefinitionFlaw[]> {
  const facts = await loadCheckFacts(context.db, account, findUsedCompilableIds(value))
  return sortListedFlaws(await findValueFlaws(context, facts, value, id))
}

/** Flaws of the compilables that workflows reference, and of their arguments. */
export async function findCallFlaws(
  context: CompilableCheckContext,
  account: AccountId,
  compilableCalls: readonly CompilableCall[],
): Promise<DefinitionFlaw[]> {
  if (compilableCalls.length === 0) return []
  const facts = await loadCheckFacts(
    context.db,
    account,
    compilableCalls.map(({ id }) => id),
  )
  const flaws: DefinitionFlaw[] = []
  for (const compilableCall of compilableCalls) {
    const value = facts.used.get(compilableCall.id)
    if (value && value.type !== 'pipeline' && !compilableCall.isPipeline) {
      const isBroken = await hasErrors(context, facts, compilableCall.id)
      if (isBroken)
        flaws.push(
          createFlaw('flawed-reference', compilableCall.path, `The compilable ${compilableCall.id} has flaws.`),
        )
      flaws.push(...findArgumentFlaws(compilableCall, value.parameters))
    } else flaws.push(...(await findUseFlaws(context, facts, compilableCall, null)))
  }
  return flaws
}
