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
function createValidators(): { strict: Ajv; coercing: Ajv } {
  const commonOptions = {
    allErrors: true,
    useDefaults: true,
    allowUnionTypes: true,
    discriminator: true,
    strict: false,
    // Optimised code takes two and a half times as long to compile, which the first request waits for, and saves a tenth of a microsecond.
    code: { optimize: false },
  } as const
  const strictAjv = new Ajv({ ...commonOptions, coerceTypes: false })
  const coercingAjv = new Ajv({ ...commonOptions, coerceTypes: 'array' })
  for (const ajv of [strictAjv, coercingAjv]) {
    addFormats.default(ajv)
    boundSchemaKeywords(ajv)
  }
  return { strict: strictAjv, coercing: coercingAjv }
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

/** Returns true if the request prefers strict handling (RFC 7240, 4.4). */
export function isStrictPreferred(prefer: string | string[] | undefined): boolean {
  return prefer !== undefined && /(^|[,;\s])handling\s*=\s*"?strict"?/i.test([prefer].flat().join(','))
}

function assertKnownMembers(schema: ValidationSchema, body: unknown): void {
  const { pointers, count } = findUnknownMembers(schema, body)
  if (count === 0) return
  const errors = pointers.map((pointer) => ({ pointer, detail: 'is not a member of this body' }))
  const detail = `${pointers[0]!.slice(0, 200)} is not a member of this body.`
  throw new Problem(400, 'unknown-member', detail, { errors, errorCount: count })
}

/** The function that Fastify calls with a part of a request. It returns true, a converted part, or false with the errors. */
interface PartValidator {
  (part: unknown): boolean | { value: unknown }
  errors?: ErrorObject[] | null
}

/** Only an invalid body is relaxed and validated again, so that a valid one costs nothing more. */
function createBodyValidator(validate: ValidateFunction, schema: ValidationSchema, keepsNull: boolean): PartValidator {
  const validateBody: PartValidator = (body) => {
    if (validate(body)) return true
    const relaxedBody = relaxRequestBody(schema, body, keepsNull)
    const isValid = validate(relaxedBody)
    validateBody.errors = validate.errors
    return isValid && (relaxedBody === body || { value: relaxedBody })
  }
  return validateBody
}

function createQueryValidator(validate: ValidateFunction, schema: ValidationSchema): PartValidator {
  const validateQuery: PartValidator = (query) => {
    relaxQueryParameters(schema, query as Record<string, unknown>)
    const isValid = validate(query)
    validateQuery.errors = validate.errors
    return isValid
  }
  return validateQuery
}

/** Validates a value as a body with this schema, wherever it came from. Throws 400 with the faults. */
export function parseBodyBySchema<S extends TSchema>(request: FastifyRequest, schema: S, rawBody: unknown): Static<S> {
  const validate = request.compileValidationSchema(schema, 'body') as PartValidator
  const outcome = validate(rawBody)
  if (outcome === false)
    throw invalidRequestProblem(toRequestFaults((validate.errors ?? []) as FastifySchemaValidationError[], 'body'))
  return (outcome === true ? rawBody : outcome.value) as Static<S>
}

/** As checkBody, of JSON that came past the parser: unknown members are 400 too where the request asks for it. */
export function parseRawBodyBySchema<S extends TSchema>(
  request: FastifyRequest,
  schema: S,
  rawBody: unknown,
): Static<S> {
  const body = parseBodyBySchema(request, schema, rawBody)
  if (isStrictPreferred(request.headers.prefer)) assertKnownMembers(schema as ValidationSchema, body)
  return body
}

/** Compiles with the first request that has this part: of a thousand schemas a process uses few, and all of them take a second. */
function createLazyValidator(make: () => PartValidator): PartValidator {
  let compiledValidator: PartValidator | undefined
  const validatePart: PartValidator = (part) => {
    compiledValidator ??= make()
    const outcome = compiledValidator(part)
    validatePart.errors = compiledValidator.errors
    return outcome
  }
  return validatePart
}

const { strict, coercing } = createValidators()
/** By the kind of the part, and by schema: those of the interface are the same objects in every app of a process. */
const compiledByKind = new Map<string, WeakMap<object, PartValidator>>()

/** Compiles schemas for every part of a request, and refuses unknown members where the request asks for it. */
export function registerSchemaValidation(app: HttpApp): void {
  app.setValidatorCompiler(({ schema, httpPart = 'body', method }) => {
    const kind = httpPart === 'body' && method === 'PATCH' ? 'patch' : httpPart
    const kindValidators = compiledByKind.get(kind) ?? new WeakMap<object, PartValidator>()
    compiledByKind.set(kind, kindValidators)
    const compileValidator = (): PartValidator => {
      const validate = (httpPart === 'body' ? strict : coercing).compile(schema as object)
      if (httpPart === 'body') return createBodyValidator(validate, schema as ValidationSchema, kind === 'patch')
      return httpPart === 'querystring'
        ? createQueryValidator(validate, schema as ValidationSchema)
        : (validate as PartValidator)
    }
    const validator = kindValidators.get(schema as object) ?? createLazyValidator(compileValidator)
    kindValidators.set(schema as object, validator)
    return validator as ValidateFunction
  })
  app.addHook('preHandler', async ({ body, headers, routeOptions }) => {
    const schema = routeOptions.schema?.body as ValidationSchema | undefined
    if (schema && body !== undefined && body !== null && isStrictPreferred(headers.prefer))
      assertKnownMembers(schema, body)
  })
}
