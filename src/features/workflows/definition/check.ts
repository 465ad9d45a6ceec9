import type { Context } from '../../../context.ts'
import type { AccountId } from '../../../lib/account.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { flawsOfExpressions, openCompiling } from '../../../scripting/expressions/compile.ts'
import type { FieldName } from '../../../scripting/expressions/known-names.ts'
import { type Flaw, flaw, hasErrors, listed } from '../../../scripting/flaws.ts'
import { checkAddress } from '../../../scripting/hosts.ts'
import { scriptFlaws } from '../../../scripting/script-flaws.ts'
import { filtersOf } from '../../../scripting/scripting-object.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import { loadFields } from '../../contacts/fields/stored-definitions.ts'
import { namedFlaws } from '../../pipelines/checks/check.ts'
import { criteriaFlaws } from '../../script-host/criteria-flaws.ts'
import { loadImported } from '../../webtasks/stored.ts'
import { type Contents, contentsOf } from './contents.ts'
import type { Definition } from './definition.ts'
import { checkGraph } from './graph.ts'
import { checkReferences } from './references.ts'

function checkFields({ references }: Contents, fields: readonly FieldName[]): Flaw[] {
  const known = new Set(fields.flatMap(({ id, name }) => [String(id), name]))
  return references.flatMap(({ kind, id, path }) =>
    kind === 'field' && !known.has(String(id))
      ? [flaw('unknown-field', path, `There is no field ${JSON.stringify(id)}.`)]
      : [],
  )
}

/** What definitions are checked with. `db` may be a transaction. */
export type CheckContext = Pick<Context, 'db' | 'sandbox'>

/** All that is wrong with a definition, sorted; at most 200 and one that says so. */
export async function flawsOf(
  { db, sandbox }: CheckContext,
  account: AccountId,
  definition: Definition,
): Promise<Flaw[]> {
  const contents = contentsOf(definition)
  const { fields } = await loadFields(db, account)
  const { culture } = await readSendingSettings(db, account)
  const names = fields.map(({ id, name }) => ({ id, name }))
  const { scripting } = definition
  const { http } = scripting.environment
  const imported = await loadImported(db, account, scripting)
  return listed([
    ...contents.flaws,
    ...checkGraph(definition, contents),
    ...checkFields(contents, names),
    ...contents.addresses.flatMap(({ url, path }) => checkAddress(url, path, http?.allow ?? [])),
    ...(await flawsOfExpressions(contents.expressions, openCompiling(culture, filtersOf(scripting), names))),
    ...(await scriptFlaws(sandbox, account, { ...contents, scripting, imported })),
    ...(await checkReferences(db, account, contents.references)),
    ...(await criteriaFlaws(db, account, contents.criteria)),
    ...(await namedFlaws({ db, sandbox }, account, contents.calls)),
  ])
}

/** Throws 409 `workflow-flawed` when a definition cannot be active. */
export async function refuseFlawed(context: CheckContext, account: AccountId, definition: Definition): Promise<void> {
  const flaws = await flawsOf(context, account, definition)
  if (!hasErrors(flaws)) return
  const errors = flaws.filter(({ severity }) => severity === 'error').length
  const detail = `${errors} ${errors === 1 ? 'flaw prevents' : 'flaws prevent'} activation.`
  throw new Problem(409, 'workflow-flawed', detail, { extras: { flaws } })
}
