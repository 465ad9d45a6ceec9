import { Registry } from 'prom-client'
import { type TSchema, Type } from 'typebox'
import type { AccountId } from '../lib/account.ts'
import type { App } from './app-type.ts'

const TIMEOUT_MS = 2000

/** Checks something that this process needs; throws when it does not work. */
export type Check = () => Promise<void>

const Live = Type.Object({ status: Type.Literal('live') })
const Ready = Type.Object({
  status: Type.String(),
  checks: Type.Record(Type.String(), Type.String(), { description: 'ok, or what is wrong, by what was checked' }),
})
const ready: Record<number, TSchema> = { 200: Ready, 503: Ready }

async function verdict(check: Check): Promise<string> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer in ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
  try {
    await Promise.race([check(), late])
    return 'ok'
  } catch {
    return 'failing'
  } finally {
    clearTimeout(timer)
  }
}

/** `/health/live`: the process answers. `/health/ready`: what it needs answers too; else 503 naming what does not. */
export function registerHealth(app: App, checks: Record<string, Check>): void {
  app.get(
    '/health/live',
    {
      config: { public: true },
      schema: { tags: ['health'], summary: 'whether the process is alive', response: { 200: Live } },
    },
    async () => ({ status: 'live' as const }),
  )
  app.get(
    '/health/ready',
    {
      config: { public: true },
      schema: { tags: ['health'], summary: 'whether the process can do its work', response: ready },
    },
    async (_request, reply) => {
      const names = Object.keys(checks)
      const verdicts = await Promise.all(Object.values(checks).map(verdict))
      const fine = verdicts.every((word) => word === 'ok')
      return reply.code(fine ? 200 : 503).send({
        status: fine ? 'ready' : 'unavailable',
        checks: Object.fromEntries(names.map((name, index) => [name, verdicts[index] ?? 'failing'])),
      })
    },
  )
}

/** `/metrics` in the text format of Prometheus: figures of the caller's account alone; those of the installation have a listener. */
export function registerMetrics(app: App, figuresOf: (account: AccountId) => Promise<string>): void {
  app.get(
    '/metrics',
    {
      config: { right: 'read' },
      schema: { tags: ['health'], summary: 'figures of the account for Prometheus', produces: ['text/plain'] },
    },
    async ({ account }, reply) => reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await figuresOf(account)),
  )
}
