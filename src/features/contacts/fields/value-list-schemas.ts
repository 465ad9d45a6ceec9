import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../../lib/errors/passed-over.ts'

const ListName = Type.String({ description: '1 to 100 characters, unique in the account without regard to case' })
const IsOrdered = Type.Boolean({ description: 'true: values answered alphabetically; false: in the order given' })
const LabelText = Type.String({ description: '1 to 255 characters, unique in the list without regard to case' })

export const ValueListLabel = Type.Object({
  index: Type.Integer({ description: 'its place in the request, from 0' }),
  value: LabelText,
})

/** A value list as it is answered, its values in the order the list wants. */
export const ValueList = Type.Object({
  id: Type.Integer({ description: 'what names it in this account' }),
  name: ListName,
  ordered: IsOrdered,
  values: Type.Array(ValueListLabel, { description: 'the values, in their order' }),
})

const ValueListLabelBody = Type.Object({
  index: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 0x7ffffffe }), Type.Null()], {
      description: 'absent, null or 0: the next free one',
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
      description: 'the values, in their order',
    }),
  ),
})

export type ValueListLabel = Static<typeof ValueListLabel>
export type ValueListLabelBody = Static<typeof ValueListLabelBody>
export type ValueList = Static<typeof ValueList>
export type ValueListBody = Static<typeof ValueListBody>
