import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Document, Json } from '../../src/http/description/document.ts'
import { pointerTo } from '../../src/lib/problem.ts'

/** Says why a body is not what the schema at a place of the document admits; undefined when it is. `isClosed`: nothing that it does not name. */
export type Refusal = (body: Json, way: readonly string[], isClosed?: boolean) => string | undefined

/** The schemas of a description, by the steps of the way to each. */
export function schemasOf(document: Document): Refusal {
  const ajv = new Ajv2020({ strict: false, allowUnionTypes: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi.json', ...document })
  return (body, way, isClosed = false) => {
    const $ref = encodeURI(`openapi.json#${way.reduce(pointerTo, '')}`)
    const schema = isClosed ? { $ref, unevaluatedProperties: false } : { $ref }
    return ajv.validate(schema, body) ? undefined : ajv.errorsText()
  }
}
