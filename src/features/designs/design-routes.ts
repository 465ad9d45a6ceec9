import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { registerLinksRoute } from '../../http/resource/links.ts'
import { type RestResource, registerResource } from '../../http/resource/resource.ts'
import type { WorkSlotOptions } from '../../lib/concurrency/work-slots.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { parseInt32Id } from '../../lib/ids.ts'
import { loadContactDefinitions } from '../contacts/fields/stored-definitions.ts'
import { type DesignDocument, DesignJson } from './design-schemas.ts'
import {
  createDesign,
  deleteDesign,
  listDesigns,
  loadDesign,
  lockDesign,
  requireDesignSize,
  updateDesign,
} from './designs.ts'
import { replaceUnknownFields } from './library/known-fields.ts'
import { listLibraryDesigns } from './library/library.ts'
import { LibraryDesign, SavedDesign, SavedDesignBody, SavedDesignSummary } from './saved-design-schemas.ts'

const RenderBodySchema = Type.Object({
  design: Type.Optional(DesignJson),
  mjml: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024 * 1024,
      description: 'a source in MJML, in place of a design; at most 1 MiB',
    }),
  ),
})
const RenderedSchema = Type.Object({
  html: Type.String({ description: 'the text in HTML' }),
  text: Type.String({ description: 'the text part as it is made of the HTML' }),
  warnings: Type.Array(
    Type.Object({
      pointer: Type.String({ description: 'into the design; empty: all of it' }),
      detail: Type.String({ description: 'more about it, in words' }),
    }),
    { description: 'what may be wrong, and stops nothing' },
  ),
})

/** Designs: saved ones, those of the program, and what becomes of one. */
export function designRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, clock, designs } = context
  const compileDesign = (design: DesignDocument, options?: WorkSlotOptions) => {
    requireDesignSize(design, '/design')
    return designs.compile({ design, base: '/design' }, options)
  }
  const checkBody = async ({ design }: SavedDesignBody) => design && void (await compileDesign(design))
  const resource: RestResource<number, SavedDesignBody, SavedDesign> = {
    path: '/designs',
    tag: 'designs',
    name: 'design',
    readId: parseInt32Id,
    schema: { shown: SavedDesign, body: SavedDesignBody, listed: SavedDesignSummary },
    operations: {
      list: { answerName: 'StoredDesign' },
      read: { answerName: 'StoredDesign' },
    },
    list: listDesigns,
    create: async (accountDb, account, body) => {
      await checkBody(body)
      return inTransaction(accountDb, (tx) => createDesign(tx, account, body, new Date(clock.now())))
    },
    read: loadDesign,
    prepare: async (_db, _target, body) => void (await checkBody(body)),
    update: (tx, design, body) => updateDesign(tx, design, body, new Date(clock.now())),
    remove: deleteDesign,
    lock: lockDesign,
  }
  registerResource(app, db, resource)
  // Messages have designs of their own, so nothing uses a saved one.
  registerLinksRoute(app, db, resource, async () => [])
  registerLibraryRoute(app, db)
  app.post('/designs/render', {
    config: { right: 'read', audit: { untold: 'nothing of it is kept' } },
    schema: {
      tags: ['designs'],
      summary: 'make the HTML and text of a design, or of MJML',
      refusals: { 409: 'content-fixed content-missing link-unknown action-state' },
      description:
        'Liquid stays as it is. One of `design` and `mjml`. Saves go first; 503 after 5 s of waiting for a place.',
      body: RenderBodySchema,
      response: { 200: RenderedSchema },
    },
    handler: ({ body: { design, mjml } }) => {
      if ((design === undefined) === (mjml === undefined))
        throw badRequestProblem('/design', 'give either design or mjml')
      const options = { isPreview: true }
      return design ? compileDesign(design, options) : designs.compile({ mjml: mjml ?? '', base: '/mjml' }, options)
    },
  })
}

function registerLibraryRoute(app: HttpApp, db: Db): void {
  app.get('/designs/library', {
    config: { right: 'read' },
    schema: {
      tags: ['designs'],
      summary: 'list the designs that come with the program',
      operationId: 'listLibraryDesigns',
      description: 'Values of fields that the account has not are replaced by the words that stand for them.',
      querystring: Type.Object({
        language: Type.Optional(Type.Enum(['en', 'fr'], { description: 'a language, as in `fr`' })),
      }),
      response: { 200: Type.Array(LibraryDesign) },
    },
    handler: async ({ account, query }) => {
      const { fields } = await loadContactDefinitions(db, account)
      const fieldNames = new Set(fields.map(({ name }) => name))
      return listLibraryDesigns(query.language).map((entry) => ({
        ...entry,
        design: replaceUnknownFields(entry.design, (field) => fieldNames.has(field)),
      }))
    },
  })
}
