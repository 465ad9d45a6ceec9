import type { Sandbox } from '../src/scripting/sandbox/sandbox.ts'
import type { SandboxRunOptions } from '../src/scripting/sandbox/types.ts'

const FUNCTION = `(input) => {
  const total = input.data.items.reduce((sum, { price, count }) => sum + price * count, 0)
  return { total, tier: total > 100 ? 'gold' : 'blue', name: input.contact.fields.Name.toUpperCase() }
}`

/** A small script as authors write them, and what it is called with. */
export const smallScript = { source: `export default ${FUNCTION}` }
export const smallInput = {
  data: { items: Array.from({ length: 10 }, (_, n) => ({ price: n + 0.5, count: n })) },
  contact: { id: '000R4M0T', fields: { Name: 'Ann' } },
}
/** The same as one expression, whose value is the JSON of its result. */
export const smallExpression = `JSON.stringify((${FUNCTION})(${JSON.stringify(smallInput)}))`

const options: Omit<SandboxRunOptions, 'account'> = { seed: 'bench', input: smallInput, cpuMs: 1000, wallMs: 10_000 }

/** Runs it once for an account. Throws when it fails. */
export async function runSmallScript(sandbox: Sandbox, account: number): Promise<void> {
  const result = await sandbox.run(smallScript, { ...options, account })
  if (result.type === 'error') throw new Error(result.error.message)
}
