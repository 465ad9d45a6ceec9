import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { badRequestProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseContactId, parseInt32Id } from '../../../lib/ids.ts'
import type { ContactView } from './documents.ts'
import { contactModelMediaTypes, findAcceptedMediaType } from './media-types.ts'

export const ContactParams = Type.Object({ id: Type.String({ description: 'contact, in either case' }) })

/** The contact a path names. Throws notFound for what cannot be one. */
export function parseContactPath({ id }: { id: string }): number {
  const contact = parseContactId(id)
  if (contact === undefined) throw notFoundProblem('contact', id)
  return contact
}

export const ContactFieldsQuery = Type.Object({
  fields: Type.Optional(Type.String({ description: 'ids of the fields that are shown, separated by commas' })),
})

function parseFieldIds(fieldList: string | undefined): number[] | undefined {
  return fieldList?.split(',').map((text) => {
    const id = parseInt32Id(text.trim())
    if (id === undefined) throw badRequestProblem('fields', `"${text}" is no field id: write ids separated by commas`)
    return id
  })
}

/** Parses the part of contacts that a request selects. Throws 400 for invalid field ids. */
export function parseContactView(request: FastifyRequest, fields?: string): ContactView {
  return { fields: parseFieldIds(fields), bare: findAcceptedMediaType(request, contactModelMediaTypes) !== undefined }
}

export const ContactEraseQuery = Type.Object({
  erase: Type.Optional(
    Type.Boolean({ description: 'what events, archives and rejects of imports hold of the contacts goes too' }),
  ),
})
