import fastJson from 'fast-json-stringify'
import type { HttpApp } from '../app-type.ts'

type Serializer = (value: unknown) => string

/** Those of the interface are the same objects in every app of a process. */
const compiledSerializers = new WeakMap<object, Serializer>()

/** Returns the JSON of a value by the schema of its response, compiled when it is needed for the first time: a large one takes seconds. */
export function serializeBySchema(schema: object, value: unknown): string {
  const cachedSerializer = compiledSerializers.get(schema)
  if (cachedSerializer) return cachedSerializer(value)
  const newSerializer = fastJson(schema as fastJson.Schema, { ajv: { code: { optimize: false } } }) as Serializer
  compiledSerializers.set(schema, newSerializer)
  return newSerializer(value)
}

/**
 * Compiles the schema of an answer when the first one is sent: a process uses few of the thousands of schemas. Operations that share a
 * schema, and HEAD and GET of a route, share the compiled serializer.
 */
export function registerSerializers(app: HttpApp): void {
  app.setSerializerCompiler(
    ({ schema }) =>
      (value) =>
        serializeBySchema(schema as object, value),
  )
}
