import type { Context } from '../../context.ts'
import type { AccountId } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { type Flaw, hasErrors, listed } from '../../scripting/flaws.ts'
import { scriptFlaws } from '../../scripting/script-flaws.ts'
import type { WebtaskContent } from './reading.ts'
import { loadImported } from './stored.ts'

/** What keeps a webtask from running, or may; `id`: its number, once it has one. Nothing of it is run. */
export async function flawsOfWebtask(
  { db, sandbox }: Pick<Context, 'db' | 'sandbox'>,
  account: AccountId,
  { scripting, source }: Pick<WebtaskContent, 'scripting' | 'source'>,
  id?: number,
): Promise<Flaw[]> {
  const imported = await loadImported(db, account, scripting)
  const modules = [{ source, path: '/value' }]
  return listed(await scriptFlaws(sandbox, account, { scripting, modules, expressions: [], imported, webtask: id }))
}

/** Throws 400 `script-flawed` for a webtask that could not run. */
export async function refuseFlawed(
  context: Pick<Context, 'db' | 'sandbox'>,
  account: AccountId,
  content: WebtaskContent,
  id?: number,
): Promise<void> {
  const flaws = await flawsOfWebtask(context, account, content, id)
  if (!hasErrors(flaws)) return
  const errors = flaws
    .filter(({ severity }) => severity === 'error')
    .map(({ path, message }) => ({ pointer: path, detail: message }))
  const detail = `The script cannot run: ${errors[0]?.detail}`
  throw new Problem(400, 'script-flawed', detail, { errors, extras: { flaws } })
}
