import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaValidationError } from 'fastify'
import type { Fault } from '../lib/problem.ts'
import { Problem } from '../lib/problem.ts'
import type { App } from './app-type.ts'

/** Faults of one request are listed together, but not without end. */
const MOST_FAULTS = 100

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** Bodies are taken as they are: a wrong type is a fault. Parameters arrive as text and are converted. */
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
  for (const ajv of [strict, coercing]) addFormats.default(ajv)
  return { strict, coercing }
}

function words(error: FastifySchemaValidationError): string {
  const { keyword, params, message } = error
  if (keyword === 'required') return 'is required'
  if (keyword === 'enum')
    return `must be one of ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
  if (keyword === 'const') return `must be ${JSON.stringify(params['allowedValue'])}`
  if (keyword === 'discriminator') return `"${String(params['tag'])}" is not one of the known words`
  return message ?? 'is not valid'
}

/** Faults found by a schema: pointers into the body (RFC 6901), or the names of parameters. */
export function faultsOf(errors: readonly FastifySchemaValidationError[], context: string | undefined): Fault[] {
  const faults = new Map<string, string>()
  for (const error of errors) {
    if (error.keyword === 'anyOf' || error.keyword === 'if') continue
    const missing = error.keyword === 'required' ? `/${String(error.params['missingProperty'])}` : ''
    const path = `${error.instancePath}${missing}`
    const pointer = context === 'body' ? path : path.replace(/^\//, '')
    const known = faults.get(pointer)
    faults.set(pointer, known === undefined || known === words(error) ? words(error) : `${known}, or ${words(error)}`)
  }
  if (faults.size === 0 && errors.length > 0) faults.set('', 'does not fit any of the accepted forms')
  return [...faults].slice(0, MOST_FAULTS).map(([pointer, detail]) => ({ pointer, detail }))
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function branches(schema: Schema): Schema[] {
  return [schema, ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap(branches)]
}

/** Pointers of the members which no branch of the schema knows (`Prefer: handling=strict`). */
export function unknownMembers(schema: Schema, value: unknown, pointer = ''): string[] {
  const options = branches(schema)
  if (Array.isArray(value)) {
    const items = options.flatMap((option) => (option.items ? [option.items] : []))
    return items.length === 0
      ? []
      : value.flatMap((item, index) => unknownMembers({ anyOf: items }, item, `${pointer}/${index}`))
  }
  if (typeof value !== 'object' || value === null) return []
  if (
    !options.some((option) => option.properties) ||
    options.some((option) => option.additionalProperties || option.patternProperties)
  )
    return []
  return Object.entries(value).flatMap(([name, member]) => {
    const at = `${pointer}/${escapePointer(name)}`
    const known = options.flatMap((option) =>
      option.properties && Object.hasOwn(option.properties, name) ? [option.properties[name] as Schema] : [],
    )
    return known.length === 0 ? [at] : unknownMembers({ anyOf: known }, member, at)
  })
}

/** Whether the request asks for strict handling (RFC 7240, 4.4). */
export function wantsStrict(prefer: string | string[] | undefined): boolean {
  return prefer !== undefined && /(^|[,;\s])handling\s*=\s*"?strict"?/i.test([prefer].flat().join(','))
}

/** Compiles schemas for every part of a request, and refuses unknown members where the request asks for it. */
export function registerValidation(app: App): void {
  const { strict, coercing } = validators()
  const compiled = new WeakMap<object, ValidateFunction>()
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const known = compiled.get(schema as object)
    const validate = known ?? (httpPart === 'body' ? strict : coercing).compile(schema as object)
    compiled.set(schema as object, validate)
    return validate
  })
  app.addHook('preHandler', async ({ body, headers, routeOptions }) => {
    const schema = routeOptions.schema?.body as Schema | undefined
    if (!schema || body === undefined || body === null || !wantsStrict(headers.prefer)) return
    const unknown = unknownMembers(schema, body)
    if (unknown.length === 0) return
    const errors = unknown.slice(0, MOST_FAULTS).map((pointer) => ({ pointer, detail: 'is not a member of this body' }))
    throw new Problem(400, 'unknown-member', `${unknown[0]} is not a member of this body.`, { errors })
  })
}
