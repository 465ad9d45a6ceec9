import { type McpApiCaller, readApiResource } from '../ask.ts'

/** Most fields whose names are shown in place of their ids. */
const MAX_NAMED_FIELDS = 500

/** The names of the fields of the account, by id. */
export async function readFieldNames(ask: McpApiCaller): Promise<ReadonlyMap<string, string>> {
  const fields = await readApiResource<{ id: number; name: string }[]>(ask, '/fields', { limit: MAX_NAMED_FIELDS })
  return new Map(fields.map(({ id, name }) => [String(id), name]))
}

/** A contact whose values are under the names of their fields. */
export function replaceFieldIds<Contact extends { fields?: Record<string, unknown> }>(
  contact: Contact,
  fieldNames: ReadonlyMap<string, string>,
): Contact {
  if (!contact.fields) return contact
  const values = Object.entries(contact.fields).map(([id, value]) => [fieldNames.get(id) ?? id, value])
  return { ...contact, fields: Object.fromEntries(values) }
}
