import type { ServiceContext } from '../../../context.ts'
import type { AccountId } from '../../../lib/account.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { createCompileContext, findExpressionFlaws } from '../../../scripting/expressions/compile.ts'
import type { ContactFieldName } from '../../../scripting/expressions/known-names.ts'
import { createFlaw, type DefinitionFlaw, hasErrorFlaws, sortListedFlaws } from '../../../scripting/flaws.ts'
import { findAddressFlaws } from '../../../scripting/hosts.ts'
import { findScriptFlaws } from '../../../scripting/script-flaws.ts'
import { listTemplateFilters } from '../../../scripting/scripting-object.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import { loadContactDefinitions } from '../../contacts/fields/stored-definitions.ts'
import { findCallFlaws } from '../../pipelines/checks/check.ts'
import { findCriteriaFlaws } from '../../script-host/criteria-flaws.ts'
import { loadImportedWebtasks } from '../../webtasks/stored.ts'
import { collectWorkflowContents, type WorkflowContents } from './definition-contents.ts'
import { findGraphFlaws } from './graph-flaws.ts'
import { findReferenceFlaws } from './reference-flaws.ts'
import type { WorkflowDefinition } from './workflow-definition.ts'

function findFieldFlaws({ references }: WorkflowContents, fields: readonly ContactFieldName[]): DefinitionFlaw[] {
  const fieldKeys = new Set(fields.flatMap(({ id, name }) => [String(id), name]))
  return references.flatMap(({ kind, id, path }) =>
    kind === 'field' && !fieldKeys.has(String(id))
      ? [createFlaw('unknown-field', path, `There is no field ${JSON.stringify(id)}.`)]
      : [],
  )
}

/** Dependencies of checking definitions. `db` may be a transaction. */
export type WorkflowCheckContext = Pick<ServiceContext, 'db' | 'sandbox'>

/** All that is wrong with a definition, sorted; at most 200 and one that says so. */
export async function findWorkflowFlaws(
  { db, sandbox }: WorkflowCheckContext,
  account: AccountId,
  definition: WorkflowDefinition,
): Promise<DefinitionFlaw[]> {
  const contents = collectWorkflowContents(definition)
  const { fields } = await loadContactDefinitions(db, account)
  const { culture } = await readSendingSettings(db, account)
  const fieldNames = fields.map(({ id, name }) => ({ id, name }))
  const { scripting } = definition
  const { http } = scripting.environment
  const importedWebtasks = await loadImportedWebtasks(db, account, scripting)
  return sortListedFlaws([
    ...contents.flaws,
    ...findGraphFlaws(definition, contents),
    ...findFieldFlaws(contents, fieldNames),
    ...contents.addresses.flatMap(({ url, path }) => findAddressFlaws(url, path, http?.allow ?? [])),
    ...(await findExpressionFlaws(
      contents.expressions,
      createCompileContext(culture, listTemplateFilters(scripting), fieldNames),
    )),
    ...(await findScriptFlaws(sandbox, account, { ...contents, scripting, imported: importedWebtasks })),
    ...(await findReferenceFlaws(db, account, contents.references)),
    ...(await findCriteriaFlaws(db, account, contents.criteria)),
    ...(await findCallFlaws({ db, sandbox }, account, contents.calls)),
  ])
}

/** Throws 409 `workflow-flawed` when a definition cannot be active. */
export async function requireFlawlessWorkflow(
  context: WorkflowCheckContext,
  account: AccountId,
  definition: WorkflowDefinition,
): Promise<void> {
  const flaws = await findWorkflowFlaws(context, account, definition)
  if (!hasErrorFlaws(flaws)) return
  const errorCount = flaws.filter(({ severity }) => severity === 'error').length
  const detail = `${errorCount} ${errorCount === 1 ? 'flaw prevents' : 'flaws prevent'} activation.`
  throw new Problem(409, 'workflow-flawed', detail, { extras: { flaws } })
}
