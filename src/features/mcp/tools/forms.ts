import { buildApiPath, readApiResource } from '../ask.ts'
import { defineMcpTool, listLimitSchema, McpObjectId, toolArguments } from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'

interface ListedForm {
  id: string
  name: string
  segment: number | null
  redList: string[]
  updateDate: string
}

const listFormsTool = defineMcpTool({
  name: 'list_forms',
  title: 'List forms',
  description: 'Lists the forms that messages link to, with the segment or suppression lists that each fills.',
  effect: 'reads',
  input: toolArguments({ limit: listLimitSchema(200, 50) }),
  async run({ ask }, { limit = 50 }) {
    const forms = await readApiResource<ListedForm[]>(ask, '/forms', { limit })
    const summaries = forms.map(({ id, name, segment, redList, updateDate }) => ({
      id,
      name,
      segment,
      redList,
      updateDate,
    }))
    return { forms: wrapUntrusted(summaries) }
  },
})

const readFormTool = defineMcpTool({
  name: 'read_form',
  title: 'Read a form',
  description: 'Reads a form with its texts and fields, and the objects that link to it.',
  effect: 'reads',
  input: toolArguments({ id: McpObjectId }),
  async run({ ask }, { id }) {
    const path = buildApiPath`/forms/${id}`
    const form = await readApiResource(ask, path)
    return { id, form: wrapUntrusted(form), uses: wrapUntrusted(await readApiResource(ask, `${path}/links`)) }
  },
})

/** Tools that read forms. */
export const mcpFormTools = [listFormsTool, readFormTool]
