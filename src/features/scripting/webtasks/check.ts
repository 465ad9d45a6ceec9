import type { Context } from '../../../context.ts'
import type { AccountId } from '../../../lib/account.ts'
import { Problem } from '../../../lib/problem.ts'
import { hasErrors, listed } from '../flaws.ts'
import { scriptFlaws } from '../script-flaws.ts'
import type { WebtaskContent } from './reading.ts'
import { loadImported } from './stored.ts'

/** Throws 400 `script-flawed` for a webtask that could not run; `id`: its number, once it has one. Nothing of it is run. */
export async function refuseFlawed(
  { db, sandbox }: Pick<Context, 'db' | 'sandbox'>,
  account: AccountId,
  { scripting, source }: WebtaskContent,
  id?: number,
): Promise<void> {
  const imported = await loadImported(db, account, scripting)
  const modules = [{ source, path: '/value' }]
  const flaws = listed(
    await scriptFlaws(sandbox, account, { scripting, modules, expressions: [], imported, webtask: id }),
  )
  if (!hasErrors(flaws)) return
  const errors = flaws
    .filter(({ severity }) => severity === 'error')
    .map(({ path, message }) => ({ pointer: path, detail: message }))
  const detail = `The script cannot run: ${errors[0]?.detail}`
  throw new Problem(400, 'script-flawed', detail, { errors, extras: { flaws } })
}
