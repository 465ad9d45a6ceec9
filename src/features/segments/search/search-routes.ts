import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { searchContacts } from './contact-list.ts'
import type { ContactSearchViewer } from './personal.ts'
import { previewSegment } from './previews.ts'
import { createPreviewLimiter } from './running.ts'
import { searchObjects } from './search.ts'
import {
  ContactSearchBody,
  ContactSearchPage,
  DynamicSegmentPreview,
  ObjectSearchQuery,
  ObjectSearchResult,
  SegmentPreviewBody,
} from './search-schemas.ts'

const readConfig = { right: 'read' } as const

/** Lists of contacts by criteria and text, everything by its name, and segments before they are saved. */
export function searchRoutes(app: HttpApp, { db, clock, masterKeys }: ServiceContext): void {
  const limitPreviews = createPreviewLimiter(db)
  const buildViewer = ({ person }: FastifyRequest): ContactSearchViewer => ({
    masked: person?.masked ?? false,
    now: clock.now(),
  })
  app.post('/targets/search', {
    config: readConfig,
    schema: {
      tags: ['targets'],
      summary: 'Search contacts',
      description:
        'Returns one page of the contacts that match criteria and a text, in the requested order, with the ' +
        'total number. A list that takes too long is refused with 503. Users who see masked addresses ' +
        'cannot compare or sort by email and phone fields: the answer is 403.',
      operationId: 'searchTargets',
      refusals: { 409: 'preview-replaced' },
      body: ContactSearchBody,
      response: { 200: ContactSearchPage },
    },
    handler: (request) =>
      searchContacts(db, request.account, request.body, { ...buildViewer(request), keys: masterKeys }),
  })
  app.get('/search', {
    config: readConfig,
    schema: {
      tags: ['search'],
      summary: 'Search all objects',
      description:
        'Finds contacts and named objects, such as segments, campaigns and workflows, by a text. Contacts ' +
        'fill at most half of the results if there are enough other objects. An empty text finds nothing.',
      operationId: 'search',
      querystring: ObjectSearchQuery,
      response: { 200: Type.Array(ObjectSearchResult) },
    },
    handler: (request) => searchObjects(db, request.account, request.query, buildViewer(request).masked),
  })
  app.post('/segments/preview', {
    config: readConfig,
    schema: {
      tags: ['segments'],
      summary: 'Preview a dynamic segment',
      refusals: {
        403: 'approval-required',
        409: 'name-taken segment-depth segment-dynamic segment-linked segment-ring segment-type already-member preview-replaced',
      },
      description:
        'Returns the number of members that these criteria would select, some of them, and the criteria in ' +
        'plain language; nothing is stored. A count that takes longer than two seconds is estimated. Each ' +
        'caller can run two previews at a time; a third one cancels the oldest, which is answered with ' +
        '409.',
      body: SegmentPreviewBody,
      response: { 200: DynamicSegmentPreview },
    },
    handler: (request) => {
      const { account, apiKey, person } = request
      return limitPreviews(`${account} ${person?.id ?? apiKey}`, (running) =>
        previewSegment(db, account, request.body, { ...buildViewer(request), running }),
      )
    },
  })
}
