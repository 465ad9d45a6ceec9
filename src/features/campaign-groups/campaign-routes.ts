import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { type AuditSnapshotOptions, createAuditedDb, createAuditSnapshot } from '../../http/resource/audit-requests.ts'
import { declareStreamedAnswer, ListPageQuery } from '../../http/resource/list.ts'
import { registerResource } from '../../http/resource/resource.ts'
import type { AccountId } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { parseUuid } from '../../lib/ids.ts'
import { EventPeriodParams, EventSortParams, HitClassParams, PublishedEventRecord } from '../events/event-schemas.ts'
import { sendEventList } from '../events/history/answer.ts'
import { parseSubjectsRequest } from '../events/history/reading.ts'
import { selectCampaignEvents } from './campaign-events.ts'
import { CampaignBody, CampaignEventFilter, CampaignResource, NewCampaignItems } from './campaign-schemas.ts'
import {
  addCampaignItems,
  createCampaign,
  deleteCampaign,
  listCampaigns,
  loadCampaign,
  lockCampaign,
  removeCampaignItem,
  updateCampaign,
} from './campaigns.ts'
import { parseCampaignItemPath, parseCampaignItems } from './items.ts'

const tags = ['campaigns']
const CampaignParams = Type.Object({ id: Type.String() })

function parseCampaignId(text: string): string {
  const id = parseUuid(text)
  if (id === undefined) throw notFoundProblem('campaign', text)
  return id
}

function createCampaignSnapshot({ account, id }: { account: AccountId; id: string }): AuditSnapshotOptions {
  return createAuditSnapshot(
    (tx) => loadCampaign(tx, account, id),
    (tx) => lockCampaign(tx, account, id),
  )
}

function registerItemRoutes(app: HttpApp, { db, clock }: ServiceContext): void {
  app.post('/campaigns/:id/items', {
    config: { right: 'write', audit: { object: 'campaign' } },
    schema: {
      tags,
      summary: 'Add items to a campaign',
      description:
        'Adds one item or an array of items at the end of the campaign, and returns the campaign. Items already in it keep their position. If an item does not exist, nothing is added.',
      operationId: 'addCampaignItems',
      params: CampaignParams,
      body: NewCampaignItems,
      response: { 200: CampaignResource },
    },
    handler: (request) => {
      const { params, body, account } = request
      const isSingleItem = !Array.isArray(body)
      const items = parseCampaignItems(isSingleItem ? [body] : body, '')
      const key = { account, id: parseCampaignId(params.id) }
      return addCampaignItems(
        createAuditedDb(request, db, createCampaignSnapshot(key)),
        key,
        items,
        new Date(clock.now()),
      )
    },
  })
  app.delete('/campaigns/:id/items/:type/:item', {
    config: { right: 'write', audit: { object: 'campaign' } },
    schema: {
      tags,
      summary: 'Remove an item from a campaign',
      description:
        'Removes the item from the campaign; the item itself remains. An item that is not in the campaign is 404.',
      operationId: 'removeCampaignItem',
      params: Type.Object({ id: Type.String(), type: Type.String(), item: Type.String() }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { params, account } = request
      const item = parseCampaignItemPath(params.type, params.item)
      const key = { account, id: parseCampaignId(params.id) }
      await removeCampaignItem(
        createAuditedDb(request, db, createCampaignSnapshot(key)),
        key,
        item,
        new Date(clock.now()),
      )
      return reply.code(204).send(null)
    },
  })
}

function registerEventRoutes(app: HttpApp, { db }: ServiceContext): void {
  const schema = {
    tags,
    params: CampaignParams,
    querystring: Type.Object({
      ...EventPeriodParams,
      ...EventSortParams,
      ...HitClassParams,
      ...ListPageQuery.properties,
    }),
    response: { 200: declareStreamedAnswer(Type.Array(PublishedEventRecord)) },
  }
  app.get('/campaigns/:id/events', {
    config: { right: 'read' },
    schema: {
      ...schema,
      summary: 'List the events of a campaign',
      description:
        'Returns the events of all items of the campaign. With `Accept: application/x-ndjson`, one event per line.',
      answerTypes: { 200: ['application/x-ndjson'] },
    },
    handler: async (request, reply) => {
      const { account, params, query } = request
      const selectedEvents = await selectCampaignEvents(db, { account, id: parseCampaignId(params.id) }, null)
      return sendEventList(db, { request, reply }, await parseSubjectsRequest(db, { account, query }, selectedEvents))
    },
  })
  app.post('/campaigns/:id/events', {
    config: { right: 'read' },
    schema: {
      ...schema,
      summary: 'Search the events of a campaign',
      description:
        'Returns the events that match any entry of the filter, each event once. Without a body, the events of all items are returned. An item that is not in the campaign is 404.',
      operationId: 'searchCampaignEvents',
      body: Type.Union([CampaignEventFilter, Type.Null()]),
    },
    handler: async (request, reply) => {
      const { account, params, query, body } = request
      const selectedEvents = await selectCampaignEvents(db, { account, id: parseCampaignId(params.id) }, body)
      return sendEventList(db, { request, reply }, await parseSubjectsRequest(db, { account, query }, selectedEvents))
    },
  })
}

export function campaignApiRoutes(app: HttpApp, context: ServiceContext): void {
  const now = (): Date => new Date(context.clock.now())
  registerResource<string, CampaignBody, CampaignResource>(app, context.db, {
    path: '/campaigns',
    tag: 'campaigns',
    name: 'campaign',
    readId: parseUuid,
    schema: { shown: CampaignResource, body: CampaignBody },
    operations: {
      list: {
        summary: 'List the campaigns',
        description:
          'Returns the campaigns in the order of their creation. A campaign groups items of any channel; it sends nothing itself.',
      },
      create: {
        summary: 'Create a campaign',
        description:
          'Creates a group of items of any channel, and returns it. A campaign sends nothing itself. Repeated items are stored once; if an item does not exist, nothing is created.',
      },
      read: { summary: 'Get a campaign', description: 'Returns a campaign with its items.' },
      update: {
        summary: 'Update a campaign',
        description: 'Changes the members of the body and returns the campaign. `items` replaces the whole list.',
      },
      remove: { summary: 'Delete a campaign', description: 'Deletes the campaign. Its items remain.' },
    },
    list: listCampaigns,
    create: (db, account, body) => createCampaign(db, account, body, now()),
    read: loadCampaign,
    update: (tx, campaign, body) => updateCampaign(tx, campaign, body, now()),
    remove: deleteCampaign,
    lock: lockCampaign,
  })
  registerItemRoutes(app, context)
  registerEventRoutes(app, context)
}
