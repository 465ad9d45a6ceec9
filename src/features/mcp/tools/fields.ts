import { Type } from 'typebox'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { fieldTypes } from '../../contacts/fields/field-schemas.ts'
import { buildApiPath, type McpApiCaller, readApiResource, requestApiBody, updateApiResource } from '../ask.ts'
import { defineMcpTool, listLimitSchema, numericIdSchema, toolArguments } from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'

const listFieldsTool = defineMcpTool({
  name: 'list_fields',
  title: 'List the contact fields',
  description: 'Lists the fields of contacts with their types, and the values that lists allow.',
  effect: 'reads',
  input: toolArguments({ limit: listLimitSchema(500, 200) }),
  async run({ ask }, { limit = 200 }) {
    const fields = await readApiResource<{ valueListId?: number }[]>(ask, '/fields', { limit })
    if (!fields.some(({ valueListId }) => valueListId !== undefined)) return { fields: wrapUntrusted(fields) }
    const lists = await readApiResource<{ id: number; values: { value: string }[] }[]>(ask, '/valueLists', { limit })
    const labelsById = new Map(lists.map(({ id, values }) => [id, values.map(({ value }) => value)]))
    const fieldsWithValues = fields.map((field) =>
      field.valueListId === undefined ? field : { ...field, values: labelsById.get(field.valueListId) ?? [] },
    )
    return { fields: wrapUntrusted(fieldsWithValues) }
  },
})

/** Creates the list of the values that a field may have. */
async function createValueList(ask: McpApiCaller, name: string, values: readonly string[]): Promise<number> {
  const body = { name, values: values.map((value) => ({ value })) }
  return (await requestApiBody<{ id: number }>(ask, { method: 'POST', path: '/valueLists', body })).id
}

const saveFieldTool = defineMcpTool({
  name: 'save_field',
  title: 'Create or change a contact field',
  description: 'Creates a field of contacts or, with `id`, changes one.',
  effect: 'drafts',
  input: toolArguments({
    id: Type.Optional(numericIdSchema('field')),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    type: Type.Optional(Type.Enum(fieldTypes, { description: 'Required for a new field.' })),
    isMandatory: Type.Optional(Type.Boolean({ description: 'True: the value cannot be emptied.' })),
    values: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
        minItems: 1,
        maxItems: 1000,
        description: 'Allowed values of a new list; they become a value list of the same name.',
      }),
    ),
  }),
  async run({ ask }, { id, values, ...members }) {
    if (id !== undefined) {
      if (values !== undefined) throw badRequestProblem('values', 'is only allowed for a new field')
      await updateApiResource(ask, buildApiPath`/fields/${id}`, members)
      return { id, created: false }
    }
    if (values !== undefined && members.name === undefined) throw badRequestProblem('name', 'is required')
    const valueListId = values && (await createValueList(ask, members.name ?? '', values))
    const body = { ...members, ...(valueListId !== undefined && { valueListId }) }
    const field = await requestApiBody<{ id: number }>(ask, { method: 'POST', path: '/fields', body })
    return { id: field.id, created: true }
  },
})

/** Tools for the fields of contacts. */
export const mcpFieldTools = [listFieldsTool, saveFieldTool]
