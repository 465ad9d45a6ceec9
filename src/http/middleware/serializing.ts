import fastJson from 'fast-json-stringify'
import type { HttpApp } from '../app-type.ts'

type Serializer = (value: unknown) => string

/** Those of the interface are the same objects in every app of a process. */
const compiledSerializers = new WeakMap<object, Serializer>()

/**
 * Compiles the schema of an answer when the first one is sent: a process uses few of the thousands of schemas, and compiling all of them
 * takes a second. Operations that share a schema, and HEAD and GET of a route, share the compiled serializer.
 */
export function registerSerializers(app: HttpApp): void {
  app.setSerializerCompiler(({ schema }) => (value) => {
    const cachedSerializer = compiledSerializers.get(schema as object)
    if (cachedSerializer) return cachedSerializer(value)
    const newSerializer = fastJson(schema as fastJson.Schema) as Serializer
    compiledSerializers.set(schema as object, newSerializer)
    return newSerializer(value)
  })
}
