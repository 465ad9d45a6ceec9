import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { badRequestProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseContactId, parseInt32Id } from '../../../lib/ids.ts'
import type { ContactView } from './documents.ts'
import { contactModelMediaTypes, findAcceptedMediaType } from './media-types.ts'

export const ContactParams = Type.Object({ id: Type.String({ description: 'ID of the contact, in either case.' }) })

/** The contact a path names. Throws notFound for what cannot be one. */
export function parseContactPath({ id }: { id: string }): number {
  const contact = parseContactId(id)
  if (contact === undefined) throw notFoundProblem('contact', id)
  return contact
}

export const ContactFieldsQuery = Type.Object({
  fields: Type.Optional(
    Type.String({ description: 'IDs of the fields to return, separated by commas. Absent: all fields.' }),
  ),
})

function parseFieldIds(fieldList: string | undefined): number[] | undefined {
  return fieldList?.split(',').map((text) => {
    const id = parseInt32Id(text.trim())
    if (id === undefined) throw badRequestProblem('fields', `"${text}" is not a field id: separate ids by commas`)
    return id
  })
}

/** Parses the part of contacts that a request selects. Throws 400 for invalid field ids. */
export function parseContactView(request: FastifyRequest, fields?: string): ContactView {
  return { fields: parseFieldIds(fields), bare: findAcceptedMediaType(request, contactModelMediaTypes) !== undefined }
}

export const ContactEraseQuery = Type.Object({
  erase: Type.Optional(
    Type.Boolean({
      description:
        'Also delete or empty the data about the contacts that events, message archives and import rejects ' +
        'hold. Default: false.',
    }),
  ),
})
