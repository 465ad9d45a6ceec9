import { type Static, type TObject, Type } from 'typebox'

/** The schema of the `type` of several objects. */
export function typesOf(bodies: readonly TObject[]) {
  return { type: 'string', enum: bodies.map((body) => (body.properties['type'] as { const?: string }).const) }
}

/** One of several objects that their `type` distinguishes. The discriminator alone would not list the types. */
export function tagged<Body extends TObject>(bodies: readonly Body[]) {
  return Type.Unsafe<Static<Body>>({
    type: 'object',
    required: ['type'],
    properties: { type: typesOf(bodies) },
    discriminator: { propertyName: 'type' },
    oneOf: bodies,
  })
}
