import { Registry } from 'prom-client'
import { type TSchema, Type } from 'typebox'
import type { AccountId } from '../../lib/account.ts'
import type { HttpApp } from '../app-type.ts'

const TIMEOUT_MS = 2000

/** Checks something that this process needs; throws when it does not work. */
export type ReadinessCheck = () => Promise<void>

/** What a process needs. */
export interface Readiness {
  isStarted(): boolean
  checks: Record<string, ReadinessCheck>
}

/** A check that did not answer. */
class LateError extends Error {}

const Live = Type.Object({ status: Type.Literal('live') })
const Ready = Type.Object({
  status: Type.String(),
  checks: Type.Record(Type.String(), Type.String(), { description: 'ok, or what is wrong, by what was checked' }),
})
const ready: Record<number, TSchema> = { 200: Ready, 503: Ready }

/** What is wrong, without a word of what others said: addresses and names are not for everybody. */
function reasonOf(error: unknown): string {
  if (error instanceof LateError) return error.message
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
  return `failing${code}`
}

async function verdict(check: ReadinessCheck): Promise<string> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new LateError(`no answer in ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
  try {
    await Promise.race([check(), late])
    return 'ok'
  } catch (error) {
    return reasonOf(error)
  } finally {
    clearTimeout(timer)
  }
}

/** `/health/live`: the process answers. `/health/ready`: it has started, and what it needs answers too; else 503 with what does not. */
export function registerHealthRoutes(app: HttpApp, { isStarted, checks }: Readiness): void {
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
      const verdicts = Object.entries(checks).map(async ([name, check]) => [name, await verdict(check)] as const)
      const said = Object.fromEntries([
        ...(isStarted() ? [] : [['start', 'not ended yet']]),
        ...(await Promise.all(verdicts)),
      ])
      const isReady = Object.values(said).every((word) => word === 'ok')
      return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'unavailable', checks: said })
    },
  )
}

/** `/metrics` in the text format of Prometheus: figures of the caller's account alone; those of the installation have a listener. */
export function registerMetricsRoute(app: HttpApp, figuresOf: (account: AccountId) => Promise<string>): void {
  app.get(
    '/metrics',
    {
      config: { right: 'read' },
      schema: { tags: ['health'], summary: 'figures of the account for Prometheus', produces: ['text/plain'] },
    },
    async ({ account }, reply) => reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await figuresOf(account)),
  )
}
