import { type Static, Type } from 'typebox'
import { ListPageQuery } from '../../http/resource/list.ts'
import { acceptedMediaTypes } from './media-types.ts'

const NullablePixels = Type.Union([Type.Integer(), Type.Null()], {
  description: 'Size in pixels. Null: the type has none.',
})

/** A picture or document of an account. */
export const MediaResource = Type.Object(
  {
    id: Type.Integer({ description: 'ID of the media file.' }),
    name: Type.String({ description: 'Name of the file, which ends its URL.' }),
    type: Type.Enum(acceptedMediaTypes, { description: 'Media type, detected from the content.' }),
    octets: Type.Integer({ description: 'Size in bytes.' }),
    width: { ...NullablePixels, description: 'Width in pixels. Null: the type has none.' },
    height: { ...NullablePixels, description: 'Height in pixels. Null: the type has none.' },
    address: Type.String({ description: 'Public URL of the file; no key is required.' }),
    sizes: Type.Array(
      Type.Object({
        width: Type.Integer({ description: 'Width in pixels.' }),
        height: Type.Integer({ description: 'Height in pixels.' }),
        octets: Type.Integer({ description: 'Size in bytes.' }),
        address: Type.String({ description: 'Public URL of the copy.' }),
      }),
      { description: 'Smaller copies for the web, narrowest first.' },
    ),
    creationDate: Type.String({ format: 'date-time', description: 'Time of creation, in UTC.' }),
  },
  { title: 'Media' },
)
export type MediaResource = Static<typeof MediaResource>

export const MediaQuery = Type.Object({
  ...ListPageQuery.properties,
  q: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the name, in any letter case.' })),
  type: Type.Optional(
    Type.Enum([...acceptedMediaTypes, 'image'], { description: 'Media type. `image`: every image. Absent: all.' }),
  ),
  newest: Type.Optional(Type.Boolean({ description: 'Return the newest first. Default: false.' })),
})

export const MediaUploadQuery = Type.Object({
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Name of the file, from which its URL is formed. Default: `file`.',
    }),
  ),
})

export const MediaDeleteQuery = Type.Object({
  force: Type.Optional(
    Type.Boolean({
      description: 'Delete the file even if it is in use; requires the right `admin`. Caches may retain it.',
    }),
  ),
})
