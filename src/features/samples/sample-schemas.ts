import { type Static, Type } from 'typebox'

const IdArray = (description: string) => Type.Array(Type.Integer(), { description })

/** The sample data of an account. */
export const SampleDataResource = Type.Object({
  creationDate: Type.String({ format: 'date-time', description: 'when it was made, in UTC' }),
  contacts: Type.Array(Type.String(), { description: 'ids; their addresses end in customer.example' }),
  fields: IdArray('their names begin with Sample'),
  segments: IdArray('their names begin with Sample'),
  actions: Type.Array(Type.String(), { description: 'ids; their names begin with Sample' }),
})
export type SampleDataResource = Static<typeof SampleDataResource>
