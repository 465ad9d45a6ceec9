import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { requirePrecondition } from '../../http/middleware/conditional.ts'
import { createAuditedDb } from '../../http/resource/audit-requests.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { parseInt32Id } from '../../lib/ids.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { lockGatewayRow } from '../../sending/gateway-registry/gateway-rows.ts'
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
const GatewayParams = Type.Object({ id: Type.String() })
const GATEWAYS_PATH = '/gateways'
const GATEWAY_PATH = `${GATEWAYS_PATH}/:id`
/** They hold credentials, and connect to hosts from within the installation: its operators write them. */
const gatewayWriteConfig = { right: 'admin', operator: true, audit: { object: 'gateway' } } as const

const toGatewayViewer = ({ account, person }: FastifyRequest): GatewayViewer => ({
  account,
  isOperator: person?.operator === true,
})

function parseGatewayId({ id }: { id: string }): number {
  const gatewayId = parseInt32Id(id)
  if (gatewayId === undefined) throw notFoundProblem('gateway', id)
  return gatewayId
}

/** Names of the secrets in a body: their values appear nowhere. */
function listSecretNames(body: unknown): { said?: object } {
  const secrets = (body as { secrets?: unknown } | null)?.secrets
  const secretNames = Object.keys(isJsonObject(secrets) ? secrets : {})
  return secretNames.length === 0 ? {} : { said: { written: secretNames } }
}

/** Runs a change in a transaction that holds the row, when If-Match names what it is now. `stays`: it is there afterwards. */
function runGatewayChange<Result>(
  { tools, request, stays }: { tools: GatewayDependencies; request: FastifyRequest; stays: boolean },
  id: number,
  change: (tools: GatewayDependencies) => Promise<Result>,
): Promise<Result> {
  const readGateway = (tx: Db) =>
    loadServingGateway({ ...tools, db: tx }, { account: request.account, isOperator: true }, id)
  const snapshot = { before: readGateway, ...(stays && { after: readGateway }), ...listSecretNames(request.body) }
  return inTransaction(createAuditedDb(request, tools.db, snapshot), async (tx) => {
    const transactionTools = { ...tools, db: tx }
    await lockGatewayRow(tx, id)
    await requirePrecondition(request, GatewayResource, () =>
      loadServingGateway(transactionTools, toGatewayViewer(request), id),
    )
    return change(transactionTools)
  })
}

function registerReadRoutes(app: HttpApp, tools: GatewayDependencies): void {
  app.get(GATEWAYS_PATH, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'List the gateways of the account',
      description:
        'Returns the gateways of the account, then those of the installation. The first gateway of each ' +
        'channel carries its messages. Settings of gateways of the installation are shown to operators only.',
      response: { 200: Type.Array(GatewayResource) },
    },
    handler: (request) => listServingGateways(tools, toGatewayViewer(request)),
  })
  app.get(`${GATEWAYS_PATH}/kinds`, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'List the kinds of gateways',
      description: 'Returns the kinds that can be created, with the JSON Schemas of their settings and secrets.',
      response: { 200: Type.Array(GatewayKindResource) },
    },
    handler: async () => listGatewayKinds(),
  })
  app.get(GATEWAY_PATH, {
    config: { right: 'read', etag: true },
    schema: {
      tags,
      summary: 'Get a gateway',
      description: 'Returns a gateway of the account or of the installation. Secrets are never shown.',
      params: GatewayParams,
      response: { 200: GatewayResource },
    },
    handler: (request) => loadServingGateway(tools, toGatewayViewer(request), parseGatewayId(request.params)),
  })
}

/** The ways out for messages. */
export function gatewayApiRoutes(app: HttpApp, { db, config, masterKeys, clock }: ServiceContext): void {
  const dependencies = { db, config, masterKeys, clock }
  registerReadRoutes(app, dependencies)
  registerTestRoute(app, dependencies)
  registerCreateRoute(app, dependencies)
  app.put(GATEWAY_PATH, {
    config: { ...gatewayWriteConfig, etag: true },
    schema: {
      tags,
      summary: 'Update a gateway',
      description:
        'Merges settings and secrets into the stored ones (RFC 7396); null removes a member. Senders use the ' +
        'changes within seconds. Kind, channel and scope cannot change: 409. Only operators may call it.',
      refusals: { 409: 'gateway-taken gateway-fixed' },
      params: GatewayParams,
      body: GatewayBody,
      response: { 200: GatewayResource },
    },
    handler: (request) => {
      const id = parseGatewayId(request.params)
      return runGatewayChange({ tools: dependencies, request, stays: true }, id, (within) =>
        updateGateway(within, request.account, id, request.body),
      )
    },
  })
  app.delete(GATEWAY_PATH, {
    config: gatewayWriteConfig,
    schema: {
      tags,
      summary: 'Delete a gateway',
      description:
        'Deletes the gateway with its secrets; senders stop using it within seconds. Messages of its channel go to the ' +
        'next gateway. Only operators may call it.',
      params: GatewayParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const id = parseGatewayId(request.params)
      await runGatewayChange({ tools: dependencies, request, stays: false }, id, (within) =>
        deleteGateway(within, request.account, id),
      )
      return reply.code(204).send(null)
    },
  })
}

function registerTestRoute(app: HttpApp, dependencies: GatewayDependencies): void {
  app.post(`${GATEWAY_PATH}/test`, {
    config: { ...gatewayWriteConfig, audit: { untold: 'a test changes nothing' } },
    schema: {
      tags,
      summary: 'Test a gateway',
      refusals: { 409: 'gateway-taken' },
      description:
        'Connects to the remote host as sending does, within 20 seconds, and sends no message. A failed ' +
        'connection returns 200 with `ok` false. Only operators may call it.',
      params: GatewayParams,
      response: { 200: GatewayTestResult },
    },
    handler: ({ account, params }) => testGateway(dependencies, account, parseGatewayId(params)),
  })
}

function registerCreateRoute(app: HttpApp, dependencies: GatewayDependencies): void {
  app.post(GATEWAYS_PATH, {
    config: gatewayWriteConfig,
    schema: {
      tags,
      summary: 'Create a gateway',
      description:
        'Checks the settings and creates a gateway; senders use it within seconds. Settings and secrets ' +
        'follow the schemas of its kind. For a kind with callbacks, the response contains the callback ' +
        'address, which is shown only once. Only operators may call it.',
      refusals: { 409: 'gateway-taken' },
      body: NewGatewayBody,
      response: { 200: CreatedGateway },
    },
    handler: (request) => {
      const { account, body } = request
      // The address of callbacks lets in who knows it.
      const hideCallback = (_: Db, createdGateway: unknown) => ({
        ...(createdGateway as CreatedGateway),
        callback: undefined,
      })
      return inTransaction(
        createAuditedDb(request, dependencies.db, { after: hideCallback, ...listSecretNames(body) }),
        (tx) => createGateway({ ...dependencies, db: tx }, account, body),
      )
    },
  })
}
