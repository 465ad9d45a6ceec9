import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { type Look, lookOf, told } from '../../http/resource/audit.ts'
import { PageQuery, sent } from '../../http/resource/list.ts'
import { registerResource } from '../../http/resource/resource.ts'
import type { AccountId } from '../../lib/account.ts'
import { notFound } from '../../lib/errors/problem.ts'
import { readUuid } from '../../lib/ids.ts'
import { ClassFilters, EventRecord, PeriodBounds, Sort } from '../events/event-schemas.ts'
import { sendEvents } from '../events/history/answer.ts'
import { readSubjects } from '../events/history/reading.ts'
import { wantedEvents } from './campaign-events.ts'
import { Campaign, CampaignBody, CampaignFilter, NewItems } from './campaign-schemas.ts'
import {
  addItems,
  createCampaign,
  deleteCampaign,
  listCampaigns,
  lockCampaign,
  readCampaign,
  removeItem,
  updateCampaign,
} from './campaigns.ts'
import { readItemOfPath, readItems } from './items.ts'

const tags = ['campaigns']
const Params = Type.Object({ id: Type.String() })

function campaignOf(text: string): string {
  const id = readUuid(text)
  if (id === undefined) throw notFound('campaign', text)
  return id
}

function lookAt({ account, id }: { account: AccountId; id: string }): Look {
  return lookOf(
    (tx) => readCampaign(tx, account, id),
    (tx) => lockCampaign(tx, account, id),
  )
}

function itemRoutes(app: App, { db, clock }: Context): void {
  app.post('/campaigns/:id/items', {
    config: { right: 'write', audit: { object: 'campaign' } },
    schema: {
      tags,
      summary: 'put items at the end of a campaign',
      params: Params,
      body: NewItems,
      response: { 200: Campaign },
    },
    handler: (request) => {
      const { params, body, account } = request
      const isOne = !Array.isArray(body)
      const items = readItems(isOne ? [body] : body, '')
      const key = { account, id: campaignOf(params.id) }
      return addItems(told(request, db, lookAt(key)), key, items, new Date(clock.now()))
    },
  })
  app.delete('/campaigns/:id/items/:type/:item', {
    config: { right: 'write', audit: { object: 'campaign' } },
    schema: {
      tags,
      summary: 'take an item out of a campaign',
      params: Type.Object({ id: Type.String(), type: Type.String(), item: Type.String() }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { params, account } = request
      const item = readItemOfPath(params.type, params.item)
      const key = { account, id: campaignOf(params.id) }
      await removeItem(told(request, db, lookAt(key)), key, item, new Date(clock.now()))
      return reply.code(204).send(null)
    },
  })
}

function eventRoutes(app: App, { db }: Context): void {
  const schema = {
    tags,
    params: Params,
    querystring: Type.Object({ ...PeriodBounds, ...Sort, ...ClassFilters, ...PageQuery.properties }),
    response: { 200: sent(Type.Array(EventRecord)) },
  }
  app.get('/campaigns/:id/events', {
    config: { right: 'read' },
    schema: { ...schema, summary: 'events of every item of a campaign' },
    handler: async (request, reply) => {
      const { account, params, query } = request
      const wanted = await wantedEvents(db, { account, id: campaignOf(params.id) }, null)
      return sendEvents(db, { request, reply }, await readSubjects(db, { account, query }, wanted))
    },
  })
  app.post('/campaigns/:id/events', {
    config: { right: 'read' },
    schema: {
      ...schema,
      summary: 'events of items of a campaign, as a filter wants them',
      body: Type.Union([CampaignFilter, Type.Null()]),
    },
    handler: async (request, reply) => {
      const { account, params, query, body } = request
      const wanted = await wantedEvents(db, { account, id: campaignOf(params.id) }, body)
      return sendEvents(db, { request, reply }, await readSubjects(db, { account, query }, wanted))
    },
  })
}

export function campaignRoutes(app: App, context: Context): void {
  const now = (): Date => new Date(context.clock.now())
  registerResource<string, CampaignBody, Campaign>(app, context.db, {
    path: '/campaigns',
    tag: 'campaigns',
    name: 'campaign',
    readId: readUuid,
    schema: { shown: Campaign, body: CampaignBody },
    list: listCampaigns,
    create: (db, account, body) => createCampaign(db, account, body, now()),
    read: readCampaign,
    update: (db, account, id, body) => updateCampaign(db, { account, id }, body, now()),
    remove: (db, account, id) => inTransaction(db, (tx) => deleteCampaign(tx, account, id)),
    lock: lockCampaign,
  })
  itemRoutes(app, context)
  eventRoutes(app, context)
}
