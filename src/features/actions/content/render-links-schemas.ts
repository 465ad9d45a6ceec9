import { type Static, Type } from 'typebox'
import { RenderItem } from '../execution/item-schemas.ts'

const { recipient, receiver, data, variables, context, stamp } = RenderItem.properties

const Link = Type.Union([
  Type.Object({
    type: Type.Literal('system'),
    destination: Type.Object({ type: Type.Enum(['mirror', 'unsubscribe', 'open']) }, { description: 'where it leads' }),
  }),
  Type.Object({
    type: Type.Literal('form'),
    destination: Type.Object({ id: Type.String() }, { description: 'where it leads' }),
  }),
  Type.Object({
    type: Type.Literal('redirection'),
    destination: Type.Object(
      { url: Type.String({ minLength: 1, maxLength: 8000 }) },
      { description: 'where it leads' },
    ),
  }),
])
export type AskedLink = Static<typeof Link>

/** Links of one message that are asked for one by one. */
export const LinksRequest = Type.Object({
  ...{ recipient, receiver, data, variables, context, stamp },
  links: Type.Array(Link, { minItems: 1, maxItems: 100 }),
})
export type LinksRequest = Static<typeof LinksRequest>

export const LinksResult = Type.Object({
  type: Type.Literal('success'),
  links: Type.Array(Type.String({ description: 'in the order asked for' })),
})
export type LinksResult = Static<typeof LinksResult>
