import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../../lib/errors/passed-over.ts'
import { buildTypeTag } from '../../../lib/type-tags.ts'

const ContactId = Type.String({ description: 'contact id, in either case' })

export const ContactById = Type.Object({
  type: buildTypeTag('id'),
  value: ContactId,
})
export const ContactByUnicity = Type.Object({
  type: buildTypeTag('unicity'),
  value: Type.Array(Type.String(), {
    minItems: 1,
    description: 'one string per unicity field, in ascending order of field ids',
  }),
})
export const ContactByHash = Type.Object({
  type: buildTypeTag('hash'),
  value: Type.String({ description: '32 hexadecimal digits, in either case' }),
})

/** A contact as it is answered in few words; read back it names the contact by its id. */
export const Footprint = Type.Object({
  type: buildTypeTag('footprint'),
  id: ContactId,
  unicity: Type.String({ description: 'the joined unicity values' }),
  hash: Type.String({ description: 'MD5 of the joined unicity, lower-case hexadecimal' }),
})

/** The identification of a contact in a request. */
export const ContactIdentification = Type.Union([
  ContactById,
  ContactByUnicity,
  ContactByHash,
  Type.Object({
    type: buildTypeTag('footprint'),
    id: ContactId,
    unicity: ignoredMemberSchema,
    hash: ignoredMemberSchema,
  }),
])

export type ContactIdentification = Static<typeof ContactIdentification>
export type Footprint = Static<typeof Footprint>
