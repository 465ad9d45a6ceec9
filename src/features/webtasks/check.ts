import type { ServiceContext } from '../../context.ts'
import type { AccountId } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { type DefinitionFlaw, hasErrorFlaws, sortListedFlaws } from '../../scripting/flaws.ts'
import { findScriptFlaws } from '../../scripting/script-flaws.ts'
import type { WebtaskContent } from './reading.ts'
import { loadImportedWebtasks } from './stored.ts'

/** Flaws that prevent, or may prevent, a webtask from running; `id` is its number if it already has one. None of its code runs. */
export async function findWebtaskFlaws(
  { db, sandbox }: Pick<ServiceContext, 'db' | 'sandbox'>,
  account: AccountId,
  { scripting, source }: Pick<WebtaskContent, 'scripting' | 'source'>,
  id?: number,
): Promise<DefinitionFlaw[]> {
  const imported = await loadImportedWebtasks(db, account, scripting)
  const modules = [{ source, path: '/value' }]
  return sortListedFlaws(
    await findScriptFlaws(sandbox, account, { scripting, modules, expressions: [], imported, webtask: id }),
  )
}

/** Throws 400 `script-flawed` for a webtask that could not run. */
export async function requireRunnableWebtask(
  context: Pick<ServiceContext, 'db' | 'sandbox'>,
  account: AccountId,
  content: WebtaskContent,
  id?: number,
): Promise<void> {
  const flaws = await findWebtaskFlaws(context, account, content, id)
  if (!hasErrorFlaws(flaws)) return
  const errors = flaws
    .filter(({ severity }) => severity === 'error')
    .map(({ path, message }) => ({ pointer: path, detail: message }))
  const detail = `The script cannot run: ${errors[0]?.detail}`
  throw new Problem(400, 'script-flawed', detail, { errors, extras: { flaws } })
}
