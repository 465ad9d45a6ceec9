import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { lookOf, told } from '../../http/resource/audit.ts'
import { registerLinks } from '../../http/resource/links.ts'
import { sendJob, wantsAsync } from '../../http/resource/prefer.ts'
import { auditOf, guarded, type Resource, registerResource, toldCreation } from '../../http/resource/resource.ts'
import { notFound } from '../../lib/errors/problem.ts'
import { readContactId, readUuid } from '../../lib/ids.ts'
import { SYSTEM } from '../audit/record.ts'
import { Job } from '../jobs/job-schemas.ts'
import { backtest, startBacktest } from './backtest.ts'
import { limitedContacts } from './limited.ts'
import type { PressurePorts } from './ports.ts'
import {
  Backtest,
  BacktestBody,
  ContactPressure,
  Limited,
  LimitedQuery,
  PressureSettings,
  PressureSettingsBody,
  Rule,
  RuleBody,
  Topic,
  TopicBody,
} from './pressure-schemas.ts'
import type { Change } from './rules/labels.ts'
import { createRule, deleteRule, listRules, lockRule, readRule, updateRule } from './rules/rules.ts'
import { changePressureSettings, isTopicRequired, readPressureSettings, requireTopic } from './settings.ts'
import { contactPressure } from './standing.ts'
import { topicLinks } from './topic-links.ts'
import { createTopic, deleteTopic, listTopics, lockTopic, readTopic, topicKey, updateTopic } from './topics.ts'

const tag = 'marketing pressure'
const tags = [tag]
const rights = { read: 'read', write: 'admin' } as const
const Params = Type.Object({ id: Type.String() })

/** A resource, and how it is written: with who does it. */
interface Written<Body, Shown extends object> {
  resource: Resource<string, Body, Shown>
  create(db: Db, body: Body, change: Change): Promise<Shown>
  update(tx: Db, id: string, body: Body, change: Change): Promise<Shown>
}

/** The standard operations of a resource whose changes are signed. */
function registerSigned<Body, Shown extends object>(
  app: App,
  { db, clock }: Context,
  { resource, create, update }: Written<Body, Shown>,
): void {
  const { path, name, schema } = resource
  const changeOf = ({ account, actor }: Pick<FastifyRequest, 'account' | 'actor'>): Change => ({
    ...{ account, actor: actor ?? SYSTEM },
    now: new Date(clock.now()),
  })
  registerResource(app, db, resource)
  app.post(path, {
    config: { right: 'admin', audit: auditOf(resource) },
    schema: { tags, summary: `create a ${name}`, body: schema.body, response: { 200: schema.shown } },
    handler: (request) => create(toldCreation(request, db, resource), request.body as Body, changeOf(request)),
  })
  app.put(`${path}/:id`, {
    config: { right: 'admin', etag: true, audit: auditOf(resource) },
    schema: { tags, summary: `update a ${name}`, params: Params, body: schema.body, response: { 200: schema.shown } },
    handler: (request, reply) => {
      const id = readUuid(request.params.id)
      if (id === undefined) throw notFound(name, request.params.id)
      const change = changeOf(request)
      return guarded({ request, reply, db }, resource, id, (tx) => update(tx, id, request.body as Body, change))
    },
  })
}

function topicRoutes(app: App, context: Context): void {
  const { db, clock } = context
  const resource: Resource<string, TopicBody, Topic> = {
    path: '/marketing/pressure/topics',
    ...{ tag, name: 'topic', readId: readUuid, rights, idOf: topicKey },
    schema: { shown: Topic, body: TopicBody },
    list: listTopics,
    read: readTopic,
    remove: (tx, account, id) => deleteTopic(tx, account, id, new Date(clock.now())),
    lock: lockTopic,
  }
  registerLinks(app, db, resource, topicLinks)
  registerSigned<TopicBody, Topic>(app, context, {
    resource,
    create: createTopic,
    update: updateTopic,
  })
}

function ruleRoutes(app: App, context: Context, ports: PressurePorts): void {
  const { clock } = context
  registerSigned<RuleBody, Rule>(app, context, {
    resource: {
      path: '/marketing/pressure/rules',
      ...{ tag, name: 'rule', readId: readUuid, rights },
      schema: { shown: Rule, body: RuleBody },
      list: listRules,
      read: readRule,
      remove: (tx, account, id) => deleteRule(tx, { account, id }, new Date(clock.now()), ports),
      lock: lockRule,
    },
    create: (db, body, change) => createRule(db, body, change, ports),
    update: (tx, id, body, change) => updateRule(tx, id, body, { ...change, ...ports }),
  })
}

function settingsRoutes(app: App, { db }: Context): void {
  const toldSettings = (request: FastifyRequest): Db => {
    const { account } = request
    const read = async (tx: Db) => ({
      ...(await readPressureSettings(tx, account)),
      topicRequired: await isTopicRequired(tx, account),
    })
    return told(request, db, lookOf(read))
  }
  app.get('/settings/marketing/pressure/topic', {
    config: { right: 'read' },
    schema: { tags, summary: 'whether marketing must name a topic', response: { 200: Type.Boolean() } },
    handler: ({ account }) => isTopicRequired(db, account),
  })
  app.put('/settings/marketing/pressure/topic', {
    config: { right: 'admin', audit: { object: 'pressure-settings' } },
    schema: {
      tags,
      summary: 'change whether marketing must name a topic',
      // Whatever comes is looked at as it is: "true" is no boolean here.
      body: Type.Unsafe<unknown>({ description: 'a bare true or false' }),
      response: { 200: Type.Boolean() },
    },
    handler: (request) => {
      const { account, body } = request
      return inTransaction(toldSettings(request), (tx) => requireTopic(tx, account, body))
    },
  })
  app.get('/settings/marketing/pressure', {
    config: { right: 'read', etag: true },
    schema: { tags, summary: 'read the settings of marketing pressure', response: { 200: PressureSettings } },
    handler: ({ account }) => readPressureSettings(db, account),
  })
  app.put('/settings/marketing/pressure', {
    config: { right: 'admin', etag: true, audit: { object: 'pressure-settings' } },
    schema: {
      tags,
      summary: 'change the settings of marketing pressure',
      body: PressureSettingsBody,
      response: { 200: PressureSettings },
    },
    handler: (request) => {
      const { account, body } = request
      return inTransaction(toldSettings(request), (tx) => changePressureSettings(tx, account, body))
    },
  })
}

/** Topics and rules of marketing pressure, how contacts stand under them, and what a rule would have stopped. */
export function pressureRoutes(app: App, context: Context, ports: PressurePorts): void {
  const { db, clock } = context
  topicRoutes(app, context)
  ruleRoutes(app, context, ports)
  settingsRoutes(app, context)
  app.get('/targets/:id/pressure', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'what counts for a contact under each limit',
      params: Params,
      response: { 200: Type.Array(ContactPressure) },
    },
    handler: ({ account, params }) => {
      const contact = readContactId(params.id)
      if (contact === undefined) throw notFound('contact', params.id)
      return contactPressure(db, { account, contact }, clock.now(), ports)
    },
  })
  app.get('/marketing/pressure/limited', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'the contacts at the limit: to whom a kind of message would not go now, and until when',
      querystring: LimitedQuery,
      response: { 200: Limited },
    },
    handler: ({ account, query }) => limitedContacts(db, account, query, clock.now()),
  })
  app.post('/marketing/pressure/backtest', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'what a rule would have stopped',
      description: 'Of more than 200,000 messages, and with Prefer: respond-async, the answer is 202 with a job.',
      body: BacktestBody,
      response: { 200: Backtest, 202: Job },
    },
    handler: async (request, reply) => {
      const { account, body } = request
      const result = wantsAsync(request) ? undefined : await backtest(db, account, body)
      return result ?? sendJob(request, reply, await startBacktest(db, account, body, clock.now()))
    },
  })
}
