import { Type } from 'typebox'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { buildApiPath, type McpApiCaller, readApiResource, requestApiBody, updateApiResource } from '../ask.ts'
import { defineMcpTool, listLimitSchema, McpJsonObject, McpObjectId, numericIdSchema, toolArguments } from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'

interface LibraryDesign {
  id: string
  design: unknown
}

async function readLibrary(ask: McpApiCaller): Promise<LibraryDesign[]> {
  return readApiResource<LibraryDesign[]>(ask, '/designs/library')
}

const listDesignsTool = defineMcpTool({
  name: 'list_designs',
  title: 'List email designs',
  description: 'Lists the saved designs of the account and those that come with the service, without their rows.',
  effect: 'reads',
  input: toolArguments({ limit: listLimitSchema(200, 50) }),
  async run({ ask }, { limit = 50 }) {
    const savedDesigns = await readApiResource(ask, '/designs', { limit })
    const library = (await readLibrary(ask)).map(({ design, ...summary }) => summary)
    return { saved: wrapUntrusted(savedDesigns), library }
  },
})

const readDesignTool = defineMcpTool({
  name: 'read_design',
  title: 'Read an email design',
  description: 'Reads a design with its rows, to use it in draft_message or save_design.',
  effect: 'reads',
  input: toolArguments({ id: McpObjectId }),
  async run({ ask }, { id }) {
    const isSaved = /^\d+$/.test(String(id))
    if (isSaved) return { id, design: wrapUntrusted(await readApiResource(ask, buildApiPath`/designs/${id}`)) }
    const libraryDesign = (await readLibrary(ask)).find((one) => one.id === id)
    if (!libraryDesign) throw notFoundProblem('design', id)
    return { id, design: wrapUntrusted(libraryDesign) }
  },
})

/** The warnings of a design that compiles. */
async function listDesignWarnings(ask: McpApiCaller, design: unknown): Promise<unknown[]> {
  const path = '/designs/render'
  const { warnings } = await requestApiBody<{ warnings: unknown[] }>(ask, { method: 'POST', path, body: { design } })
  return warnings
}

const saveDesignTool = defineMcpTool({
  name: 'save_design',
  title: 'Create or change an email design',
  description:
    'Saves a new design or, with `id`, changes one, and returns warnings. Messages made from it do not change.',
  effect: 'drafts',
  input: toolArguments({
    id: Type.Optional(numericIdSchema('saved design')),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    description: Type.Optional(Type.String({ maxLength: 1000 })),
    category: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    design: Type.Optional(
      McpJsonObject(
        'The design: version 1, theme and rows. Begin with one of read_design; see read_reference designs.',
      ),
    ),
  }),
  async run({ ask }, { id, ...body }) {
    const warnings = body.design === undefined ? [] : await listDesignWarnings(ask, body.design)
    if (id === undefined) {
      const saved = await requestApiBody<{ id: number }>(ask, { method: 'POST', path: '/designs', body })
      return { id: saved.id, created: true, warnings: wrapUntrusted(warnings) }
    }
    await updateApiResource(ask, buildApiPath`/designs/${id}`, body)
    return { id, created: false, warnings: wrapUntrusted(warnings) }
  },
})

/** Tools for designs of email. */
export const mcpDesignTools = [listDesignsTool, readDesignTool, saveDesignTool]
