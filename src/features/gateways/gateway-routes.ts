import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { checkPrecondition } from '../../http/middleware/conditional.ts'
import { told } from '../../http/resource/audit.ts'
import { notFound } from '../../lib/errors/problem.ts'
import { readIntId } from '../../lib/ids.ts'
import { isObject } from '../../lib/objects.ts'
import { lockGateway } from '../../sending/gateways/gateway-rows.ts'
import { GatewayBody, GatewayKind, GatewayTest, NewGateway, NewGatewayBody, ShownGateway } from './gateway-schemas.ts'
import {
  createGateway,
  deleteGateway,
  type GatewayTools,
  listKinds,
  listServing,
  readServing,
  testGateway,
  updateGateway,
  type Viewer,
} from './gateways.ts'

const tags = ['gateways']
const Params = Type.Object({ id: Type.String() })
const PATH = '/gateways'
const ONE = `${PATH}/:id`
/** They hold credentials, and connect to hosts from within the installation: its operators write them. */
const written = { right: 'admin', operator: true, audit: { object: 'gateway' } } as const

const viewerOf = ({ account, person }: FastifyRequest): Viewer => ({ account, isOperator: person?.operator === true })

function idIn({ id }: { id: string }): number {
  const read = readIntId(id)
  if (read === undefined) throw notFound('gateway', id)
  return read
}

/** Which secrets a body brings, by their names: what they are is told nowhere. */
function secretsIn(body: unknown): { said?: object } {
  const secrets = (body as { secrets?: unknown } | null)?.secrets
  const names = Object.keys(isObject(secrets) ? secrets : {})
  return names.length === 0 ? {} : { said: { written: names } }
}

/** Runs a change in a transaction that holds the row, when If-Match names what it is now. `stays`: it is there afterwards. */
function changing<Result>(
  {
    tools,
    request,
    reply,
    stays,
  }: { tools: GatewayTools; request: FastifyRequest; reply: FastifyReply; stays: boolean },
  id: number,
  change: (tools: GatewayTools) => Promise<Result>,
): Promise<Result> {
  const read = (tx: Db) => readServing({ ...tools, db: tx }, { account: request.account, isOperator: true }, id)
  const look = { before: read, ...(stays && { after: read }), ...secretsIn(request.body) }
  return inTransaction(told(request, tools.db, look), async (tx) => {
    const within = { ...tools, db: tx }
    await lockGateway(tx, id)
    await checkPrecondition(request, reply, ShownGateway, () => readServing(within, viewerOf(request), id))
    return change(within)
  })
}

function readRoutes(app: App, tools: GatewayTools): void {
  app.get(PATH, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'list the gateways that serve the account',
      description: 'Its own, then those of the installation: the first of a channel carries its messages.',
      response: { 200: Type.Array(ShownGateway) },
    },
    handler: (request) => listServing(tools, viewerOf(request)),
  })
  app.get(`${PATH}/kinds`, {
    config: { right: 'read' },
    schema: { tags, summary: 'list the kinds of gateways', response: { 200: Type.Array(GatewayKind) } },
    handler: async () => listKinds(),
  })
  app.get(ONE, {
    config: { right: 'read', etag: true },
    schema: { tags, summary: 'read a gateway', params: Params, response: { 200: ShownGateway } },
    handler: (request) => readServing(tools, viewerOf(request), idIn(request.params)),
  })
}

/** The ways out for messages. */
export function gatewayRoutes(app: App, { db, config, masterKeys, clock }: Context): void {
  const tools = { db, config, masterKeys, clock }
  readRoutes(app, tools)
  app.post(PATH, {
    config: written,
    schema: { tags, summary: 'make a gateway', body: NewGatewayBody, response: { 200: NewGateway } },
    handler: (request) => {
      const { account, body } = request
      // The address of callbacks lets in who knows it.
      const after = (_: Db, made: unknown) => ({ ...(made as NewGateway), callback: undefined })
      return inTransaction(told(request, db, { after, ...secretsIn(body) }), (tx) =>
        createGateway({ ...tools, db: tx }, account, body),
      )
    },
  })
  app.put(ONE, {
    config: { ...written, etag: true },
    schema: { tags, summary: 'change a gateway', params: Params, body: GatewayBody, response: { 200: ShownGateway } },
    handler: (request, reply) => {
      const id = idIn(request.params)
      return changing({ tools, request, reply, stays: true }, id, (within) =>
        updateGateway(within, request.account, id, request.body),
      )
    },
  })
  app.delete(ONE, {
    config: written,
    schema: { tags, summary: 'remove a gateway', params: Params, response: { 204: Type.Null() } },
    handler: async (request, reply) => {
      const id = idIn(request.params)
      await changing({ tools, request, reply, stays: false }, id, (within) =>
        deleteGateway(within, request.account, id),
      )
      return reply.code(204).send(null)
    },
  })
  app.post(`${ONE}/test`, {
    config: { ...written, audit: { untold: 'a try changes nothing' } },
    schema: {
      tags,
      summary: 'try a gateway',
      description: 'It connects as sending would, within 20 s, and sends nothing.',
      params: Params,
      response: { 200: GatewayTest },
    },
    handler: ({ account, params }) => testGateway(tools, account, idIn(params)),
  })
}
