import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../../lib/errors/passed-over.ts'

const ListName = Type.String({
  description: 'Name of the value list: 1 to 100 characters, unique in the account regardless of case.',
})
const IsOrdered = Type.Boolean({
  description: 'True: values are returned in alphabetical order. False: in the order given. Default: false.',
})
const LabelText = Type.String({
  description: 'Label of the value: 1 to 255 characters, unique in the list regardless of case.',
})

export const ValueListLabel = Type.Object({
  index: Type.Integer({
    description:
      'Index of the value, which contacts store; stays the same when the label changes and is never used ' + 'again.',
  }),
  value: LabelText,
})

/** A value list as it is answered, its values in the order the list wants. */
export const ValueList = Type.Object({
  id: Type.Integer({ description: 'ID of the value list.' }),
  name: ListName,
  ordered: IsOrdered,
  values: Type.Array(ValueListLabel, { description: 'Values of the list, in order.' }),
})

const ValueListLabelBody = Type.Object({
  index: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 0x7ffffffe }), Type.Null()], {
      description:
        'Index of the value. Absent, null or 0: the index of the value with the same label, or else the ' +
        'next free one.',
    }),
  ),
  value: LabelText,
})

/** A value list as a client sends it; a new one needs a name. `values` replaces: matched by index, without one by label. */
export const ValueListBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(ListName),
  ordered: Type.Optional(Type.Union([IsOrdered, Type.Null()])),
  values: Type.Optional(
    Type.Union([Type.Array(ValueListLabelBody, { maxItems: 10_000 }), Type.Null()], {
      description:
        'Values of the list, in order. In an update they replace all values, matched by index or else by ' + 'label.',
    }),
  ),
})

export type ValueListLabel = Static<typeof ValueListLabel>
export type ValueListLabelBody = Static<typeof ValueListLabelBody>
export type ValueList = Static<typeof ValueList>
export type ValueListBody = Static<typeof ValueListBody>
