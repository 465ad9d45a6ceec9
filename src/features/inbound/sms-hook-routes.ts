import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { keepSmsReports, type SmsReport } from '../../channels/sms/inbox.ts'
import type { Context } from '../../context.ts'
import type { Hook } from '../../gateways/definition.ts'
import { hookOf } from '../../gateways/gateways.ts'
import type { App } from '../../http/app-type.ts'
import { badRequest, notFound, Problem } from '../../lib/problem.ts'
import { configuredGateways } from '../../outbox/configured-gateways.ts'
import { loadGateways, type OwnedGateway } from '../../outbox/gateway-rows.ts'

const BODY_LIMIT = 1024 * 1024
/** How soon a gateway that was added or removed is noticed. */
const REREAD_MS = 3000

interface Door {
  owned: OwnedGateway
  hook: Hook
  digest: Buffer
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The doors there are; one that cannot be read is passed over, as its gateway is. */
async function readDoors({ db, config, masterKeys, log }: Context): Promise<Door[]> {
  return [...(await loadGateways(db, masterKeys)), ...configuredGateways(config)].flatMap((owned): Door[] => {
    try {
      const hook = hookOf(owned)
      return hook ? [{ owned, hook, digest: digestOf(hook.token) }] : []
    } catch (error) {
      log.warn({ err: error, gateway: owned.name }, 'the callbacks of a gateway cannot be read')
      return []
    }
  })
}

/** Finds doors by their token, in constant time; the rows are read again every few seconds. */
function openDoors(context: Context): (token: string) => Promise<Door | undefined> {
  let [doors, until] = [[] as Door[], Number.NEGATIVE_INFINITY]
  return async (token) => {
    if (performance.now() > until) {
      doors = await readDoors(context)
      until = performance.now() + REREAD_MS
    }
    const digest = digestOf(token)
    return doors.filter((door) => timingSafeEqual(door.digest, digest))[0]
  }
}

const Params = Type.Object({ token: Type.String({ maxLength: 200 }) })
type Request = FastifyRequest<{ Params: { token: string } }>

/**
 * Where SMS gateways over HTTP call back (events.md 8): 204 once what they say is on disk, 404 for a token nobody has,
 * 403 for a signature that is not right, 400 for what is no callback.
 */
export function smsHookRoutes(app: App, context: Context): void {
  const { db, clock } = context
  const doorOf = openDoors(context)

  async function answer(request: Request, reply: FastifyReply): Promise<FastifyReply> {
    const door = await doorOf(request.params.token)
    if (!door) throw notFound('gateway', '')
    const { owned, hook } = door
    const { method, url, headers } = request
    const start = url.indexOf('?')
    const call = {
      method: method === 'GET' ? 'GET' : 'POST',
      query: start === -1 ? '' : url.slice(start + 1),
      contentType: headers['content-type'],
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    } as const
    const signature = headers['x-signature']
    if (!hook.isSigned(call, typeof signature === 'string' ? signature : undefined))
      throw new Problem(403, 'signature', 'X-Signature is not the HMAC-SHA256 of what was sent.')
    const items = hook.read(call, clock.now())
    if (!items) throw badRequest('', 'must be a callback as the settings of the gateway describe it')
    const from = { gateway: owned.name, owner: owned.account }
    const reports: SmsReport[] = [
      ...items.receipts.map((report) => ({ ...from, kind: 'receipt' as const, report })),
      ...items.replies.map((report) => ({ ...from, kind: 'reply' as const, report })),
    ]
    await keepSmsReports(db, reports, clock.now())
    return reply.code(204).send()
  }

  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
      async (_request: unknown, body: Buffer) => body,
    )
    const options = (summary: string) => ({
      config: { public: true },
      schema: { tags: ['gateways'], summary, params: Params },
      handler: answer,
    })
    scope.get('/hooks/sms/:token', options('callback of an SMS gateway, in the query'))
    scope.post('/hooks/sms/:token', options('callback of an SMS gateway'))
  })
}
