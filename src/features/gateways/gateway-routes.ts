import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { requirePrecondition } from '../../http/middleware/conditional.ts'
import { createAuditedDb } from '../../http/resource/audit.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { parseInt32Id } from '../../lib/ids.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { lockGatewayRow } from '../../sending/gateways/gateway-rows.ts'
import {
  CreatedGateway,
  GatewayBody,
  GatewayKindResource,
  GatewayResource,
  GatewayTestResult,
  NewGatewayBody,
} from './gateway-schemas.ts'
import {
  createGateway,
  deleteGateway,
  type GatewayDependencies,
  type GatewayViewer,
  listGatewayKinds,
  listServingGateways,
  loadServingGateway,
  testGateway,
  updateGateway,
} from './gateways.ts'

const tags = ['gateways']
const Params = Type.Object({ id: Type.String() })
const PATH = '/gateways'
const ONE = `${PATH}/:id`
/** They hold credentials, and connect to hosts from within the installation: its operators write them. */
const written = { right: 'admin', operator: true, audit: { object: 'gateway' } } as const

const viewerOf = ({ account, person }: FastifyRequest): GatewayViewer => ({
  account,
  isOperator: person?.operator === true,
})

function idIn({ id }: { id: string }): number {
  const read = parseInt32Id(id)
  if (read === undefined) throw notFoundProblem('gateway', id)
  return read
}

/** Which secrets a body brings, by their names: what they are is told nowhere. */
function secretsIn(body: unknown): { said?: object } {
  const secrets = (body as { secrets?: unknown } | null)?.secrets
  const names = Object.keys(isJsonObject(secrets) ? secrets : {})
  return names.length === 0 ? {} : { said: { written: names } }
}

/** Runs a change in a transaction that holds the row, when If-Match names what it is now. `stays`: it is there afterwards. */
function changing<Result>(
  {
    tools,
    request,
    reply,
    stays,
  }: { tools: GatewayDependencies; request: FastifyRequest; reply: FastifyReply; stays: boolean },
  id: number,
  change: (tools: GatewayDependencies) => Promise<Result>,
): Promise<Result> {
  const read = (tx: Db) => loadServingGateway({ ...tools, db: tx }, { account: request.account, isOperator: true }, id)
  const look = { before: read, ...(stays && { after: read }), ...secretsIn(request.body) }
  return inTransaction(createAuditedDb(request, tools.db, look), async (tx) => {
    const within = { ...tools, db: tx }
    await lockGatewayRow(tx, id)
    await requirePrecondition(request, reply, GatewayResource, () => loadServingGateway(within, viewerOf(request), id))
    return change(within)
  })
}

function readRoutes(app: HttpApp, tools: GatewayDependencies): void {
  app.get(PATH, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'list the gateways that serve the account',
      description: 'Its own, then those of the installation: the first of a channel carries its messages.',
      response: { 200: Type.Array(GatewayResource) },
    },
    handler: (request) => listServingGateways(tools, viewerOf(request)),
  })
  app.get(`${PATH}/kinds`, {
    config: { right: 'read' },
    schema: { tags, summary: 'list the kinds of gateways', response: { 200: Type.Array(GatewayKindResource) } },
    handler: async () => listGatewayKinds(),
  })
  app.get(ONE, {
    config: { right: 'read', etag: true },
    schema: { tags, summary: 'read a gateway', params: Params, response: { 200: GatewayResource } },
    handler: (request) => loadServingGateway(tools, viewerOf(request), idIn(request.params)),
  })
}

/** The ways out for messages. */
export function gatewayApiRoutes(app: HttpApp, { db, config, masterKeys, clock }: ServiceContext): void {
  const tools = { db, config, masterKeys, clock }
  readRoutes(app, tools)
  app.post(PATH, {
    config: written,
    schema: { tags, summary: 'make a gateway', body: NewGatewayBody, response: { 200: CreatedGateway } },
    handler: (request) => {
      const { account, body } = request
      // The address of callbacks lets in who knows it.
      const after = (_: Db, made: unknown) => ({ ...(made as CreatedGateway), callback: undefined })
      return inTransaction(createAuditedDb(request, db, { after, ...secretsIn(body) }), (tx) =>
        createGateway({ ...tools, db: tx }, account, body),
      )
    },
  })
  app.put(ONE, {
    config: { ...written, etag: true },
    schema: {
      tags,
      summary: 'change a gateway',
      params: Params,
      body: GatewayBody,
      response: { 200: GatewayResource },
    },
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
      response: { 200: GatewayTestResult },
    },
    handler: ({ account, params }) => testGateway(tools, account, idIn(params)),
  })
}
