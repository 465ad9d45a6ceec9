import { type Static, Type } from 'typebox'
import { buildTypeTag } from '../../../lib/type-tags.ts'
import { ActionRenderItem } from '../execution/item-schemas.ts'

const { recipient, receiver, data, variables, context, stamp } = ActionRenderItem.properties

const RequestedLinkSchema = Type.Union([
  Type.Object({
    type: buildTypeTag('system'),
    destination: Type.Object(
      {
        type: Type.Enum(['mirror', 'unsubscribe', 'open'], {
          description: '`mirror`: the mirror page. `unsubscribe`: the unsubscribe page. `open`: the open pixel.',
        }),
      },
      { description: 'Destination of the link.' },
    ),
  }),
  Type.Object({
    type: buildTypeTag('form'),
    destination: Type.Object(
      { id: Type.String({ description: 'ID of the form.' }) },
      { description: 'Destination of the link.' },
    ),
  }),
  Type.Object({
    type: buildTypeTag('redirection'),
    destination: Type.Object(
      {
        url: Type.String({
          minLength: 1,
          maxLength: 8000,
          description: 'URL of a link in the content of the action, with its scheme.',
        }),
      },
      { description: 'Destination of the link.' },
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
  links: Type.Array(RequestedLinkSchema, { minItems: 1, maxItems: 100, description: 'Links to create, 1 to 100.' }),
})
export type RenderLinksRequest = Static<typeof RenderLinksRequest>

export const RenderLinksResult = Type.Object({
  type: buildTypeTag('success'),
  links: Type.Array(Type.String({ description: 'URL of a link.' }), {
    description: 'URLs of the links, in the order of the request.',
  }),
})
export type RenderLinksResult = Static<typeof RenderLinksResult>
