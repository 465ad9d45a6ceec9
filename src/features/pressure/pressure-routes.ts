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
      summary: `Create a pressure ${name}`,
      description: `Creates a ${name} of marketing pressure and returns it. Refused with 409 if the label is taken, or if the account has the maximum of 500 topics or 50 rules.`,
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
      summary: `Update a pressure ${name}`,
      description: `Changes the members of the body and returns the ${name}; the predicate of a rule is replaced as a whole. A change applies within a second, and counts of earlier messages remain valid. A label that is taken is 409.`,
      refusals: pressureRefusals,
      params: PressureParams,
      body: schema.body,
      response: { 200: schema.shown },
    },
    handler: (request) => {
      const id = parseUuid(request.params.id)
      if (id === undefined) throw notFoundProblem(name, request.params.id)
      const change = createChangeAuthor(request)
      return changeResource({ request, db }, resource, id, {
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
    operations: {
      list: {
        summary: 'List the pressure topics',
        description: 'Returns the topics of marketing pressure, sorted by label.',
      },
      read: { summary: 'Get a pressure topic', description: 'Returns a topic of marketing pressure.' },
      remove: {
        summary: 'Delete a pressure topic',
        description:
          'Deletes the topic. Refused with 409 and `links` while a rule, an action, an RCS action or a notification uses it.',
        refusals: pressureRefusals,
      },
      links: { summary: 'List the uses of a pressure topic' },
    },
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
      operations: {
        list: {
          summary: 'List the pressure rules',
          description: 'Returns the rules of marketing pressure in the order of their creation, active or not.',
        },
        read: { summary: 'Get a pressure rule', description: 'Returns a rule of marketing pressure.' },
        remove: {
          summary: 'Delete a pressure rule',
          description: 'Deletes the rule. Messages it has postponed are checked again at once.',
          refusals: pressureRefusals,
        },
      },
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
      summary: 'Get the pressure topic setting',
      description:
        'Returns true if marketing messages must have a pressure topic to be validated or activated, otherwise false.',
      operationId: 'getPressureTopicSettings',
      response: { 200: Type.Boolean() },
    },
    handler: ({ account }) => isTopicRequired(db, account),
  })
  app.put('/settings/marketing/pressure/topic', {
    config: { right: 'admin', audit: { object: 'pressure-settings' } },
    schema: {
      ...settingsSchema,
      summary: 'Update the pressure topic setting',
      description:
        'Sets whether marketing messages must have a pressure topic to be validated or activated, and returns the setting. Objects that are already validated or active are not affected.',
      operationId: 'updatePressureTopicSettings',
      // Whatever comes is looked at as it is: "true" is no boolean here.
      body: Type.Unsafe<unknown>({}),
      bodyTypes: { 'application/json': Type.Boolean({ description: 'A bare `true` or `false`.' }) },
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
      summary: 'Get the pressure settings',
      description: 'Returns the settings of marketing pressure.',
      operationId: 'getPressureSettings',
      response: { 200: PressureSettings },
    },
    handler: ({ account }) => readPressureSettings(db, account),
  })
  app.put('/settings/marketing/pressure', {
    config: { right: 'admin', etag: true, audit: { object: 'pressure-settings' } },
    schema: {
      ...settingsSchema,
      summary: 'Update the pressure settings',
      description: 'Changes the members of the body and returns the settings. A field that does not exist is 400.',
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
      summary: 'Get the pressure on a contact',
      description:
        'Returns one item per limit of the active rules, with the number of messages counted for the contact. Messages reserved for sending are included, and messages that a limit postpones are listed.',
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
      summary: 'List the contacts at a limit',
      description:
        'Returns the contacts who would not receive a given kind of message now, with the rule that stops it and until when. Rules that stop every contact, such as quiet hours, are listed in `closed` instead. A page that takes more than 10 seconds is 503.',
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
      summary: 'Backtest a pressure rule',
      operationId: 'backtestPressureRule',
      description:
        'Replays the messages accepted in a period of up to 92 days, and returns how many a rule would have stopped, had it been active with empty counters at the start. Nothing changes. For more than 200,000 messages, or with `Prefer: respond-async`, the answer is 202 with a job.',
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
