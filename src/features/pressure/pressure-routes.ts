import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { createAuditedDb, createAuditSnapshot } from '../../http/resource/audit-requests.ts'
import { registerLinksRoute } from '../../http/resource/links.ts'
import { isAsyncPreferred, sendAcceptedJob } from '../../http/resource/prefer.ts'
import {
  buildResourceAudit,
  changeResource,
  createAuditedCreationDb,
  type RestResource,
  registerResource,
} from '../../http/resource/resource.ts'
import type { LockedObject } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { parseContactId, parseUuid } from '../../lib/ids.ts'
import { SYSTEM_ACTOR } from '../audit/record-audit.ts'
import { JobResource } from '../jobs/job-schemas.ts'
import { backtestPressureRule, startBacktestJob } from './backtest.ts'
import { listContactsAtLimit } from './limited.ts'
import type { PressurePorts } from './ports.ts'
import {
  BacktestBody,
  BacktestResult,
  ContactPressure,
  ContactsAtLimit,
  ContactsAtLimitQuery,
  PressureRule,
  PressureRuleBody,
  PressureSettings,
  PressureSettingsBody,
  PressureTopic,
  PressureTopicBody,
} from './pressure-schemas.ts'
import type { PressureChangeAuthor } from './rules/labels.ts'
import {
  createPressureRule,
  deletePressureRule,
  listPressureRules,
  loadPressureRule,
  lockPressureRule,
  updatePressureRule,
} from './rules/rules.ts'
import { isTopicRequired, readPressureSettings, setTopicRequired, updatePressureSettings } from './settings.ts'
import { readContactPressure } from './standing.ts'
import { findPressureTopicLinks } from './topic-links.ts'
import {
  createPressureTopic,
  deletePressureTopic,
  listPressureTopics,
  loadPressureTopic,
  lockPressureTopic,
  pressureTopicSortKey,
  updatePressureTopic,
} from './topics.ts'

/** Problem types of the operations of marketing pressure by status. */
const pressureRefusals = { 409: 'topic-label-taken topic-linked too-many-topics rule-label-taken too-many-rules' }
const tag = 'marketing pressure'
const tags = [tag]
const routeRights = { read: 'read', write: 'admin' } as const
const PressureParams = Type.Object({ id: Type.String() })

/** A resource, and how it is written: with who does it. */
interface AuthoredResource<Body, Shown extends object> {
  resource: RestResource<string, Body, Shown>
  create(db: Db, body: Body, change: PressureChangeAuthor): Promise<Shown>
  update(tx: Db, locked: LockedObject<string, Shown>, body: Body, change: PressureChangeAuthor): Promise<Shown>
}

/** The standard operations of a resource whose changes are signed. */
function registerAuthoredRoutes<Body, Shown extends object>(
  app: HttpApp,
  { db, clock }: ServiceContext,
  { resource, create, update }: AuthoredResource<Body, Shown>,
): void {
  const { path, name, schema } = resource
  const createChangeAuthor = ({ account, actor }: Pick<FastifyRequest, 'account' | 'actor'>): PressureChangeAuthor => ({
    account,
    actor: actor ?? SYSTEM_ACTOR,
    now: new Date(clock.now()),
  })
  registerResource(app, db, resource)
  app.post(path, {
    config: { right: 'admin', audit: buildResourceAudit(resource) },
    schema: {
      tags,
      summary: `create a ${name}`,
      refusals: pressureRefusals,
      body: schema.body,
      response: { 200: schema.shown },
    },
    handler: (request) =>
      create(createAuditedCreationDb(request, db, resource), request.body as Body, createChangeAuthor(request)),
  })
  app.put(`${path}/:id`, {
    config: { right: 'admin', etag: true, audit: buildResourceAudit(resource) },
    schema: {
      tags,
      summary: `update a ${name}`,
      refusals: pressureRefusals,
      params: PressureParams,
      body: schema.body,
      response: { 200: schema.shown },
    },
    handler: (request, reply) => {
      const id = parseUuid(request.params.id)
      if (id === undefined) throw notFoundProblem(name, request.params.id)
      const change = createChangeAuthor(request)
      return changeResource({ request, reply, db }, resource, id, {
        change: (tx, locked) => update(tx, locked, request.body as Body, change),
      })
    },
  })
}

function registerTopicRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, clock } = context
  const resource: RestResource<string, PressureTopicBody, PressureTopic> = {
    path: '/marketing/pressure/topics',
    tag,
    name: 'topic',
    readId: parseUuid,
    rights: routeRights,
    idOf: pressureTopicSortKey,
    schema: { shown: PressureTopic, body: PressureTopicBody },
    operations: { remove: { refusals: pressureRefusals } },
    list: listPressureTopics,
    read: loadPressureTopic,
    remove: (tx, topic) => deletePressureTopic(tx, topic, new Date(clock.now())),
    lock: lockPressureTopic,
  }
  registerLinksRoute(app, db, resource, findPressureTopicLinks)
  registerAuthoredRoutes<PressureTopicBody, PressureTopic>(app, context, {
    resource,
    create: createPressureTopic,
    update: updatePressureTopic,
  })
}

function registerRuleRoutes(app: HttpApp, context: ServiceContext, ports: PressurePorts): void {
  const { clock } = context
  registerAuthoredRoutes<PressureRuleBody, PressureRule>(app, context, {
    resource: {
      path: '/marketing/pressure/rules',
      tag,
      name: 'rule',
      readId: parseUuid,
      rights: routeRights,
      schema: { shown: PressureRule, body: PressureRuleBody },
      operations: { remove: { refusals: pressureRefusals } },
      list: listPressureRules,
      read: loadPressureRule,
      remove: (tx, rule) => deletePressureRule(tx, rule, new Date(clock.now()), ports),
      lock: lockPressureRule,
    },
    create: (db, body, change) => createPressureRule(db, body, change, ports),
    update: (tx, rule, body, change) => updatePressureRule(tx, rule, body, { ...change, ...ports }),
  })
}

const settingsSchema = { tags, refusals: pressureRefusals }

function registerSettingsRoutes(app: HttpApp, { db }: ServiceContext): void {
  const toldSettings = (request: FastifyRequest): Db => {
    const { account } = request
    const readSettings = async (tx: Db) => ({
      ...(await readPressureSettings(tx, account)),
      topicRequired: await isTopicRequired(tx, account),
    })
    return createAuditedDb(request, db, createAuditSnapshot(readSettings))
  }
  app.get('/settings/marketing/pressure/topic', {
    config: { right: 'read' },
    schema: {
      ...settingsSchema,
      summary: 'whether marketing must name a topic',
      operationId: 'getPressureTopicSettings',
      response: { 200: Type.Boolean() },
    },
    handler: ({ account }) => isTopicRequired(db, account),
  })
  app.put('/settings/marketing/pressure/topic', {
    config: { right: 'admin', audit: { object: 'pressure-settings' } },
    schema: {
      ...settingsSchema,
      summary: 'change whether marketing must name a topic',
      operationId: 'updatePressureTopicSettings',
      // Whatever comes is looked at as it is: "true" is no boolean here.
      body: Type.Unsafe<unknown>({ description: 'a bare true or false' }),
      response: { 200: Type.Boolean() },
    },
    handler: (request) => {
      const { account, body } = request
      return inTransaction(toldSettings(request), (tx) => setTopicRequired(tx, account, body))
    },
  })
  app.get('/settings/marketing/pressure', {
    config: { right: 'read', etag: true },
    schema: {
      ...settingsSchema,
      summary: 'read the settings of marketing pressure',
      operationId: 'getPressureSettings',
      response: { 200: PressureSettings },
    },
    handler: ({ account }) => readPressureSettings(db, account),
  })
  app.put('/settings/marketing/pressure', {
    config: { right: 'admin', etag: true, audit: { object: 'pressure-settings' } },
    schema: {
      ...settingsSchema,
      summary: 'change the settings of marketing pressure',
      operationId: 'updatePressureSettings',
      body: PressureSettingsBody,
      response: { 200: PressureSettings },
    },
    handler: (request) => {
      const { account, body } = request
      return inTransaction(toldSettings(request), (tx) => updatePressureSettings(tx, account, body))
    },
  })
}

/** Topics and rules of marketing pressure, how contacts stand under them, and what a rule would have stopped. */
export function pressureApiRoutes(app: HttpApp, context: ServiceContext, ports: PressurePorts): void {
  const { db, clock } = context
  registerTopicRoutes(app, context)
  registerRuleRoutes(app, context, ports)
  registerSettingsRoutes(app, context)
  app.get('/targets/:id/pressure', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'what counts for a contact under each limit',
      operationId: 'getTargetPressure',
      params: PressureParams,
      response: { 200: Type.Array(ContactPressure) },
    },
    handler: ({ account, params }) => {
      const contact = parseContactId(params.id)
      if (contact === undefined) throw notFoundProblem('contact', params.id)
      return readContactPressure(db, { account, contact }, clock.now(), ports)
    },
  })
  app.get('/marketing/pressure/limited', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'the contacts at the limit: to whom a kind of message would not go now, and until when',
      operationId: 'listPressureLimitedTargets',
      querystring: ContactsAtLimitQuery,
      response: { 200: ContactsAtLimit },
    },
    handler: ({ account, query }) => listContactsAtLimit(db, account, query, clock.now()),
  })
  app.post('/marketing/pressure/backtest', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'what a rule would have stopped',
      operationId: 'backtestPressureRule',
      description: 'Of more than 200,000 messages, and with Prefer: respond-async, the answer is 202 with a job.',
      body: BacktestBody,
      response: { 200: BacktestResult, 202: JobResource },
    },
    handler: async (request, reply) => {
      const { account, body } = request
      const result = isAsyncPreferred(request) ? undefined : await backtestPressureRule(db, account, body)
      return result ?? sendAcceptedJob(request, reply, await startBacktestJob(db, account, body, clock.now()))
    },
  })
}
