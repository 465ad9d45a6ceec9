import { type Static, type TObject, Type } from 'typebox'

/** The schema of the `type` of one of several objects. */
export const buildTypeTag = <Tag extends string>(tag: Tag) =>
  Type.Literal(tag, { description: 'Type of the object; decides its other members.' })

/** The schema of the `type` of several objects. */
export function buildTypeTagSchema(bodies: readonly TObject[]) {
  return { type: 'string', enum: bodies.map((body) => (body.properties['type'] as { const?: string }).const) }
}

/** One of several objects that their `type` distinguishes. The discriminator alone would not list the types. */
export function buildTaggedUnion<Body extends TObject>(bodies: readonly Body[]) {
  return Type.Unsafe<Static<Body>>({
    type: 'object',
    required: ['type'],
    properties: { type: buildTypeTagSchema(bodies) },
    discriminator: { propertyName: 'type' },
    oneOf: bodies,
  })
}
