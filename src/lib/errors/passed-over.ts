import { Type } from 'typebox'

/** A member of a request that the service sets: it may come back as it was read, whatever it holds. */
export const ignoredMemberSchema = Type.Optional(Type.Unknown({ description: 'Read-only; ignored in requests.' }))
