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
      summary: 'a page of the contacts that criteria and a text select, sorted',
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
      summary: 'contacts and everything that has a name, by a text',
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
      summary: 'what a dynamic segment with these criteria would be; nothing is stored',
      refusals: {
        403: 'approval-required',
        409: 'name-taken segment-depth segment-dynamic segment-linked segment-ring segment-type already-member preview-replaced',
      },
      description:
        'Within two seconds: what takes longer to count is estimated. A caller has two at a time; a third one ends the ' +
        'oldest, whose answer is 409.',
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
