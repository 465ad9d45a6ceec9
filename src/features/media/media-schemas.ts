import { type Static, Type } from 'typebox'
import { PageQuery } from '../../http/resource/list.ts'
import { mediaTypes } from './media-types.ts'

const Pixels = Type.Union([Type.Integer(), Type.Null()], { description: 'null: the type has none' })

/** A picture or document of an account. */
export const Media = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String({ description: 'the end of its address' }),
    type: Type.Enum(mediaTypes, { description: 'told by its content' }),
    octets: Type.Integer(),
    width: Pixels,
    height: Pixels,
    address: Type.String({ description: 'public, without a key' }),
    sizes: Type.Array(
      Type.Object({
        width: Type.Integer(),
        height: Type.Integer(),
        octets: Type.Integer(),
        address: Type.String({ description: 'where it can be fetched' }),
      }),
      { description: 'smaller copies for the web, narrowest first' },
    ),
    creationDate: Type.String({ format: 'date-time' }),
  },
  { title: 'Media' },
)
export type Media = Static<typeof Media>

export const MediaQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(Type.String({ maxLength: 100, description: 'a part of the name' })),
  type: Type.Optional(Type.Enum([...mediaTypes, 'image'], { description: 'image: every picture' })),
  newest: Type.Optional(Type.Boolean({ description: 'the newest first' })),
})

export const UploadQuery = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'the name of the file' })),
})

export const DeleteQuery = Type.Object({
  force: Type.Optional(
    Type.Boolean({ description: 'even while it is used: needs the right admin; caches may keep it' }),
  ),
})
