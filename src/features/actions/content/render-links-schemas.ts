import { type Static, Type } from 'typebox'
import { buildTypeTag } from '../../../lib/type-tags.ts'
import { ActionRenderItem } from '../execution/item-schemas.ts'

const { recipient, receiver, data, variables, context, stamp } = ActionRenderItem.properties

const RequestedLinkSchema = Type.Union([
  Type.Object({
    type: buildTypeTag('system'),
    destination: Type.Object(
      { type: Type.Enum(['mirror', 'unsubscribe', 'open'], { description: 'which of the possible kinds it is' }) },
      { description: 'where it leads' },
    ),
  }),
  Type.Object({
    type: buildTypeTag('form'),
    destination: Type.Object(
      { id: Type.String({ description: 'what names it in this account' }) },
      { description: 'where it leads' },
    ),
  }),
  Type.Object({
    type: buildTypeTag('redirection'),
    destination: Type.Object(
      { url: Type.String({ minLength: 1, maxLength: 8000, description: 'an address that begins with a scheme' }) },
      { description: 'where it leads' },
    ),
  }),
])
export type RequestedLink = Static<typeof RequestedLinkSchema>

/** Links of one message that are asked for one by one. */
export const RenderLinksRequest = Type.Object({
  recipient,
  receiver,
  data,
  variables,
  context,
  stamp,
  links: Type.Array(RequestedLinkSchema, { minItems: 1, maxItems: 100, description: 'what uses it' }),
})
export type RenderLinksRequest = Static<typeof RenderLinksRequest>

export const RenderLinksResult = Type.Object({
  type: buildTypeTag('success'),
  links: Type.Array(Type.String({ description: 'in the order asked for' }), { description: 'what uses it' }),
})
export type RenderLinksResult = Static<typeof RenderLinksResult>
