import { Registry } from 'prom-client'
import { type TSchema, Type } from 'typebox'
import type { AccountId } from '../../lib/account.ts'
import type { HttpApp } from '../app-type.ts'

const CHECK_TIMEOUT_MS = 2000

/** Checks something that this process needs; throws when it does not work. */
export type ReadinessCheck = () => Promise<void>

/** The readiness requirements of a process. */
export interface Readiness {
  isStarted(): boolean
  checks: Record<string, ReadinessCheck>
}

/** A check that did not answer. */
class CheckTimeoutError extends Error {}

const LiveStatus = Type.Object({ status: Type.Literal('live', { description: 'Always `live`.' }) })
const ReadyStatus = Type.Object({
  status: Type.String({ description: '`ready` or `unavailable`.' }),
  checks: Type.Record(Type.String(), Type.String(), {
    description: 'Result of each check by its name: `ok`, or the fault.',
  }),
})
const readyResponses: Record<number, TSchema> = { 200: ReadyStatus, 503: ReadyStatus }

/** The reason for a failed check, without messages from other systems: addresses and names are not for everybody. */
function describeCheckFailure(error: unknown): string {
  if (error instanceof CheckTimeoutError) return error.message
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
  return `failing${code}`
}

async function runCheck(check: ReadinessCheck): Promise<string> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new CheckTimeoutError(`no answer in ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS)
  try {
    await Promise.race([check(), timeout])
    return 'ok'
  } catch (error) {
    return describeCheckFailure(error)
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
      schema: {
        tags: ['health'],
        summary: 'Check that the process is alive',
        description: 'Answers as long as the process runs. Checks neither the database nor other services.',
        operationId: 'getLiveness',
        response: { 200: LiveStatus },
      },
    },
    async () => ({ status: 'live' as const }),
  )
  app.get(
    '/health/ready',
    {
      config: { public: true },
      schema: {
        tags: ['health'],
        summary: 'Check that the process is ready',
        description:
          'Runs the checks of this process, such as that of the database, for at most 2 seconds each. Returns 503 with ' +
          'the results while the process starts or a check fails.',
        operationId: 'getReadiness',
        response: readyResponses,
      },
    },
    async (_request, reply) => {
      const checkResults = Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check)] as const)
      const checkStates = Object.fromEntries([
        ...(isStarted() ? [] : [['start', 'not finished yet']]),
        ...(await Promise.all(checkResults)),
      ])
      const isReady = Object.values(checkStates).every((word) => word === 'ok')
      return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'unavailable', checks: checkStates })
    },
  )
}

/** `/metrics` in the text format of Prometheus: figures of the caller's account alone; those of the installation have a listener. */
export function registerMetricsRoute(app: HttpApp, figuresOf: (account: AccountId) => Promise<string>): void {
  app.get(
    '/metrics',
    {
      config: { right: 'read' },
      schema: {
        tags: ['health'],
        summary: 'Get the metrics of the account',
        description:
          'Returns the metrics of the account in the text format of Prometheus. Metrics of the installation are on a ' +
          'separate listener.',
        answerTypes: { 200: ['text/plain'] },
        produces: ['text/plain'],
      },
    },
    async ({ account }, reply) => reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await figuresOf(account)),
  )
}
