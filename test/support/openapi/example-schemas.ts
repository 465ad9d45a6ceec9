import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApiDocument } from '../../../src/http/openapi/document.ts'
import { appendJsonPointer } from '../../../src/lib/errors/problem.ts'

/** Says why a body is not what the schema at a place of the document admits; undefined when it is. `isClosed`: nothing that it does not name. */
export type Refusal = (body: unknown, way: readonly string[], isClosed?: boolean) => string | undefined

/**
 * The schemas of a description, by the steps of the way to each; one is compiled when a body is first held to it. `coerces`: a number is
 * read as a text where one is wanted, and so on, which changes the body.
 */
export function schemasOf(document: OpenApiDocument, coerces = false): Refusal {
  // OpenAPI is no JSON Schema: only what is compiled is one. Most schemas are used a few times, so that optimising their code takes longer than it saves.
  const ajv = new Ajv2020({
    strict: false,
    allowUnionTypes: true,
    validateSchema: false,
    coerceTypes: coerces,
    code: { optimize: false },
  })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi.json', ...document })
  const compiled = new Map<string, ValidateFunction>()
  return (body, way, isClosed = false) => {
    const $ref = encodeURI(`openapi.json#${way.reduce(appendJsonPointer, '')}`)
    const name = `${isClosed} ${$ref}`
    const validate = compiled.get(name) ?? ajv.compile(isClosed ? { $ref, unevaluatedProperties: false } : { $ref })
    compiled.set(name, validate)
    return validate(body) ? undefined : ajv.errorsText(validate.errors)
  }
}
