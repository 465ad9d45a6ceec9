import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyRequest, FastifySchemaValidationError } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { invalidRequestProblem, Problem, type ProblemFault } from '../../lib/errors/problem.ts'
import { toSchemaFaults } from '../../lib/errors/schema-faults.ts'
import type { HttpApp } from '../app-type.ts'
import { boundSchemaKeywords } from './bounded-keywords.ts'
import { relaxQueryParameters, relaxRequestBody } from './lenient.ts'
import type { ValidationSchema } from './schema-branches.ts'
import { findUnknownMembers } from './unknown-members.ts'

/** Bodies are not converted: a wrong type is a fault. Parameters arrive as text and are converted. */
function validators(): { strict: Ajv; coercing: Ajv } {
  const common = {
    allErrors: true,
    useDefaults: true,
    allowUnionTypes: true,
    discriminator: true,
    strict: false,
  } as const
  const strict = new Ajv({ ...common, coerceTypes: false })
  const coercing = new Ajv({ ...common, coerceTypes: 'array' })
  for (const ajv of [strict, coercing]) {
    addFormats.default(ajv)
    boundSchemaKeywords(ajv)
  }
  return { strict, coercing }
}

/** Faults found by a schema: pointers into the body (RFC 6901), or the names of parameters. */
export function toRequestFaults(
  errors: readonly FastifySchemaValidationError[],
  context: string | undefined,
): ProblemFault[] {
  const faults = toSchemaFaults(errors)
  if (context === 'body') return faults
  return faults.map(({ pointer, detail }) => ({ pointer: pointer.replace(/^\//, ''), detail }))
}

/** Whether the request asks for strict handling (RFC 7240, 4.4). */
export function isStrictPreferred(prefer: string | string[] | undefined): boolean {
  return prefer !== undefined && /(^|[,;\s])handling\s*=\s*"?strict"?/i.test([prefer].flat().join(','))
}

function refuseUnknown(schema: ValidationSchema, body: unknown): void {
  const { pointers, count } = findUnknownMembers(schema, body)
  if (count === 0) return
  const errors = pointers.map((pointer) => ({ pointer, detail: 'is not a member of this body' }))
  const detail = `${pointers[0]!.slice(0, 200)} is not a member of this body.`
  throw new Problem(400, 'unknown-member', detail, { errors, errorCount: count })
}

/** What Fastify calls with a part of a request: true, a converted part, or false with the errors. */
interface Validator {
  (part: unknown): boolean | { value: unknown }
  errors?: ErrorObject[] | null
}

/** Only an invalid body is relaxed and validated again, so that a valid one costs nothing more. */
function bodyValidator(validate: ValidateFunction, schema: ValidationSchema, keepsNull: boolean): Validator {
  const read: Validator = (body) => {
    if (validate(body)) return true
    const relaxed = relaxRequestBody(schema, body, keepsNull)
    const isValid = validate(relaxed)
    read.errors = validate.errors
    return isValid && (relaxed === body || { value: relaxed })
  }
  return read
}

function queryValidator(validate: ValidateFunction, schema: ValidationSchema): Validator {
  const read: Validator = (query) => {
    relaxQueryParameters(schema, query as Record<string, unknown>)
    const isValid = validate(query)
    read.errors = validate.errors
    return isValid
  }
  return read
}

/** Validates a value as a body with this schema, wherever it came from. Throws 400 with the faults. */
export function parseBodyBySchema<S extends TSchema>(request: FastifyRequest, schema: S, given: unknown): Static<S> {
  const validate = request.compileValidationSchema(schema, 'body') as Validator
  const outcome = validate(given)
  if (outcome === false)
    throw invalidRequestProblem(toRequestFaults((validate.errors ?? []) as FastifySchemaValidationError[], 'body'))
  return (outcome === true ? given : outcome.value) as Static<S>
}

/** As checkBody, of JSON that came past the parser: unknown members are 400 too where the request asks for it. */
export function parseRawBodyBySchema<S extends TSchema>(request: FastifyRequest, schema: S, given: unknown): Static<S> {
  const body = parseBodyBySchema(request, schema, given)
  if (isStrictPreferred(request.headers.prefer)) refuseUnknown(schema as ValidationSchema, body)
  return body
}

/** Compiles with the first request that has this part: of a thousand schemas a process uses few, and all of them take a second. */
function compiledLater(make: () => Validator): Validator {
  let made: Validator | undefined
  const read: Validator = (part) => {
    made ??= make()
    const outcome = made(part)
    read.errors = made.errors
    return outcome
  }
  return read
}

const { strict, coercing } = validators()
/** By the kind of the part, and by schema: those of the interface are the same objects in every app of a process. */
const compiled = new Map<string, WeakMap<object, Validator>>()

/** Compiles schemas for every part of a request, and refuses unknown members where the request asks for it. */
export function registerSchemaValidation(app: HttpApp): void {
  app.setValidatorCompiler(({ schema, httpPart = 'body', method }) => {
    const kind = httpPart === 'body' && method === 'PATCH' ? 'patch' : httpPart
    const known = compiled.get(kind) ?? new WeakMap<object, Validator>()
    compiled.set(kind, known)
    const make = (): Validator => {
      const validate = (httpPart === 'body' ? strict : coercing).compile(schema as object)
      if (httpPart === 'body') return bodyValidator(validate, schema as ValidationSchema, kind === 'patch')
      return httpPart === 'querystring' ? queryValidator(validate, schema as ValidationSchema) : (validate as Validator)
    }
    const validator = known.get(schema as object) ?? compiledLater(make)
    known.set(schema as object, validator)
    return validator as ValidateFunction
  })
  app.addHook('preHandler', async ({ body, headers, routeOptions }) => {
    const schema = routeOptions.schema?.body as ValidationSchema | undefined
    if (schema && body !== undefined && body !== null && isStrictPreferred(headers.prefer)) refuseUnknown(schema, body)
  })
}
