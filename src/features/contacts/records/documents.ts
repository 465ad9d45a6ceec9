import { sql } from 'kysely'
import { channelRedListNames } from '../../../channels/channel-traits.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { formatContactId } from '../../../lib/ids.ts'
import type { ContactFieldDefinition } from '../fields/field-schemas.ts'
import type { StoredFields } from '../fields/identity.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import { formatFieldValue } from '../values/values.ts'
import type { ContactDocument } from './contact-schemas.ts'

/** A contact as it is read for showing: its flags and red list entries in the form of answers. */
export interface ContactDocumentRow {
  id: number
  fields: StoredFields
  hash: string
  created_at: Date
  updated_at: Date
  bounce: NonNullable<ContactDocument['bounce']> | null
  redList: NonNullable<ContactDocument['redList']> | null
}

/** The part of a contact that is shown. */
export interface ContactView {
  /** Ids of the fields that are shown; all of them by default. */
  fields?: readonly number[] | undefined
  /** Without flags and red lists, as the older media types have it. */
  bare: boolean
}

const formatTimestamp = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The columns of a ContactRow, of a table `contacts c`. */
export const contactDocumentColumns = sql<ContactDocumentRow>`
  c.id, c.fields, encode(c.hash, 'hex') as hash, c.created_at, c.updated_at,
  (select json_agg(json_build_object('field', b.field, 'type', b.code, 'timestamp', ${formatTimestamp('b.flagged_at')}, 'reason', b.reason)
      order by b.field)
    from bounce_flags b where b.account = c.account and b.contact = c.id) as bounce,
  (select json_object_agg(r.channel, json_build_object('timestamp', ${formatTimestamp('r.listed_at')}, 'reason', r.origin) order by r.channel)
    from red_list r where r.account = c.account and r.channel = any(${channelRedListNames}::text[]) and r.contact = c.id) as "redList"`

function selectShownFields(
  shape: ContactShape,
  only: readonly number[] | undefined,
): readonly ContactFieldDefinition[] {
  if (!only) return shape.fields
  const unknownField = only.find((id) => !shape.fields.some((field) => field.id === id))
  if (unknownField !== undefined) throw badRequestProblem('fields', `there is no field ${unknownField}`)
  return shape.fields.filter(({ id }) => only.includes(id))
}

/**
 * The builder of documents of one account: every field of it in ascending id order, or those of the view.
 * Throws 400 for a field of the view that is unknown.
 */
export function createDocumentBuilder(
  shape: ContactShape,
  view: ContactView,
): (row: ContactDocumentRow) => ContactDocument {
  const shownContactFields = selectShownFields(shape, view.fields)
  return (row) => {
    const fieldValues: ContactDocument['fields'] = {}
    for (const field of shownContactFields)
      fieldValues[field.id] = formatFieldValue(field.type, row.fields[field.id], shape.labels(field))
    const contactDocument = {
      id: formatContactId(row.id),
      hash: row.hash,
      creationDate: row.created_at.toISOString(),
      lastUpdateDate: row.updated_at.toISOString(),
      fields: fieldValues,
    }
    return view.bare ? contactDocument : { ...contactDocument, bounce: row.bounce ?? [], redList: row.redList ?? {} }
  }
}
