import fastJson from 'fast-json-stringify'
import type { HttpApp } from '../app-type.ts'

type Serializer = (value: unknown) => string

/** Those of the interface are the same objects in every app of a process. */
const compiled = new WeakMap<object, Serializer>()

/**
 * Compiles the schema of an answer with the first one that is sent: of some thousand schemas a process uses few, and all of them take a
 * second. Operations that share a schema, and HEAD beside GET, share what is compiled.
 */
export function registerSerializers(app: HttpApp): void {
  app.setSerializerCompiler(({ schema }) => (value) => {
    const known = compiled.get(schema as object)
    if (known) return known(value)
    const made = fastJson(schema as fastJson.Schema) as Serializer
    compiled.set(schema as object, made)
    return made(value)
  })
}
