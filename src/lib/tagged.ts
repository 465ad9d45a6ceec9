import { type Static, type TObject, Type } from 'typebox'

/** One of several objects that their `type` distinguishes. The discriminator alone would not list the types. */
export function tagged<Body extends TObject>(bodies: readonly Body[]) {
  const type = { type: 'string', enum: bodies.map((body) => (body.properties['type'] as { const?: string }).const) }
  return Type.Unsafe<Static<Body>>({
    type: 'object',
    required: ['type'],
    properties: { type },
    discriminator: { propertyName: 'type' },
    oneOf: bodies,
  })
}
