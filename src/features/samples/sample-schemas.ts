import { type Static, Type } from 'typebox'

const IdArray = (description: string) => Type.Array(Type.Integer(), { description })

/** The sample data of an account. */
export const SampleDataResource = Type.Object({
  creationDate: Type.String({ format: 'date-time', description: 'Time of creation, in UTC.' }),
  contacts: Type.Array(Type.String(), {
    description: 'IDs of the sample contacts. Their email addresses end in `customer.example`.',
  }),
  fields: IdArray('IDs of the sample fields. Their names begin with `Sample`.'),
  segments: IdArray('IDs of the sample segments. Their names begin with `Sample`.'),
  actions: Type.Array(Type.String(), { description: 'IDs of the sample actions. Their names begin with `Sample`.' }),
})
export type SampleDataResource = Static<typeof SampleDataResource>
