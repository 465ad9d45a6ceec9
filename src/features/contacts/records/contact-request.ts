import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { badRequest, notFound } from '../../../lib/errors/problem.ts'
import { readContactId, readIntId } from '../../../lib/ids.ts'
import type { View } from './documents.ts'
import { asked, modelTypes } from './media-types.ts'

export const ContactParams = Type.Object({ id: Type.String({ description: 'contact, in either case' }) })

/** The contact a path names. Throws notFound for what cannot be one. */
export function pathContact({ id }: { id: string }): number {
  const contact = readContactId(id)
  if (contact === undefined) throw notFound('contact', id)
  return contact
}

export const FieldsQuery = Type.Object({
  fields: Type.Optional(Type.String({ description: 'ids of the fields that are shown, separated by commas' })),
})

function readFieldIds(given: string | undefined): number[] | undefined {
  return given?.split(',').map((text) => {
    const id = readIntId(text.trim())
    if (id === undefined) throw badRequest('fields', `"${text}" is no field id: write ids separated by commas`)
    return id
  })
}

/** Which part of contacts a request wants to see. Throws 400 for field ids that are none. */
export function viewOf(request: FastifyRequest, fields?: string): View {
  return { fields: readFieldIds(fields), bare: asked(request, modelTypes) !== undefined }
}

export const EraseQuery = Type.Object({
  erase: Type.Optional(
    Type.Boolean({ description: 'what events, archives and rejects of imports hold of the contacts goes too' }),
  ),
})
