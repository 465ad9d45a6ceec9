import { type Static, Type } from 'typebox'
import { ListPageQuery } from '../../http/resource/list.ts'
import { acceptedMediaTypes } from './media-types.ts'

const NullablePixels = Type.Union([Type.Integer(), Type.Null()], { description: 'null: the type has none' })

/** A picture or document of an account. */
export const MediaResource = Type.Object(
  {
    id: Type.Integer({ description: 'what names it in this account' }),
    name: Type.String({ description: 'the end of its address' }),
    type: Type.Enum(acceptedMediaTypes, { description: 'told by its content' }),
    octets: Type.Integer({ description: 'how many bytes it has' }),
    width: NullablePixels,
    height: NullablePixels,
    address: Type.String({ description: 'public, without a key' }),
    sizes: Type.Array(
      Type.Object({
        width: Type.Integer({ description: 'width in pixels' }),
        height: Type.Integer({ description: 'height in pixels' }),
        octets: Type.Integer({ description: 'how many bytes it has' }),
        address: Type.String({ description: 'where it can be fetched' }),
      }),
      { description: 'smaller copies for the web, narrowest first' },
    ),
    creationDate: Type.String({ format: 'date-time', description: 'when it was made, in UTC' }),
  },
  { title: 'Media' },
)
export type MediaResource = Static<typeof MediaResource>

export const MediaQuery = Type.Object({
  ...ListPageQuery.properties,
  q: Type.Optional(Type.String({ maxLength: 100, description: 'a part of the name' })),
  type: Type.Optional(Type.Enum([...acceptedMediaTypes, 'image'], { description: 'image: every picture' })),
  newest: Type.Optional(Type.Boolean({ description: 'the newest first' })),
})

export const MediaUploadQuery = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'the name of the file' })),
})

export const MediaDeleteQuery = Type.Object({
  force: Type.Optional(
    Type.Boolean({ description: 'even while it is used: needs the right admin; caches may keep it' }),
  ),
})
