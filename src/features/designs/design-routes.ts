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
      description: 'MJML source, instead of a design; at most 1 MiB.',
    }),
  ),
})
const RenderedSchema = Type.Object({
  html: Type.String({ description: 'HTML of the message.' }),
  text: Type.String({ description: 'Text part, derived from the HTML.' }),
  warnings: Type.Array(
    Type.Object({
      pointer: Type.String({
        description: 'JSON Pointer to the affected part of the design. Empty: the whole design.',
      }),
      detail: Type.String({ description: 'Explanation of the warning.' }),
    }),
    { description: 'Warnings: possible problems that block nothing.' },
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
      list: {
        summary: 'List the saved designs',
        description: 'Returns the designs of the account without their rows.',
        answerName: 'StoredDesign',
      },
      create: {
        summary: 'Create a saved design',
        description: 'Saves a design and returns it. A design that does not compile is 400, and nothing is stored.',
      },
      read: {
        summary: 'Get a saved design',
        description: 'Returns a saved design with its rows.',
        answerName: 'StoredDesign',
      },
      update: {
        summary: 'Update a saved design',
        description:
          'Changes the members of the body and returns the design; `design` is replaced as a whole. Messages created from it do not change. A design that does not compile is 400, and nothing is stored.',
      },
      remove: {
        summary: 'Delete a saved design',
        description: 'Deletes the design. Messages created from it keep their own copy.',
      },
      links: { summary: 'List the uses of a saved design' },
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
    config: { right: 'read', audit: { untold: 'nothing is stored' } },
    schema: {
      tags: ['designs'],
      summary: 'Render a design or MJML',
      refusals: { 409: 'content-fixed content-missing link-unknown action-state' },
      description:
        'Compiles exactly one of `design` and `mjml` to HTML and text, and returns them with warnings. Liquid is left as is, and nothing is stored. Saves have priority: a request that waits more than 5 seconds for its turn is 503.',
      body: RenderBodySchema,
      response: { 200: RenderedSchema },
    },
    handler: ({ body: { design, mjml } }) => {
      if ((design === undefined) === (mjml === undefined))
        throw badRequestProblem('/design', 'specify either design or mjml')
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
      summary: 'List the library designs',
      operationId: 'listLibraryDesigns',
      description:
        'Returns the designs that come with the service, in one or all languages. Values of contact fields that the account does not have are replaced by their default text.',
      querystring: Type.Object({
        language: Type.Optional(
          Type.Enum(['en', 'fr'], { description: 'Language of the designs. Absent: all languages.' }),
        ),
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
