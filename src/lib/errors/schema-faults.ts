import type { ErrorObject } from 'ajv'
import { MAX_PROBLEM_FAULTS, type ProblemFault } from './problem.ts'

/** What Ajv tells of a value that does not fit a schema, as far as it is read here. */
export type AjvSchemaError = Pick<ErrorObject, 'instancePath' | 'keyword' | 'message'> & {
  params: Record<string, unknown>
}

function words({ keyword, params, message }: AjvSchemaError): string {
  if (keyword === 'required') return 'is required'
  if (keyword === 'enum')
    return `must be one of ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
  if (keyword === 'const') return `must be ${JSON.stringify(params['allowedValue'])}`
  if (keyword === 'discriminator') return `"${String(params['tag']).slice(0, 100)}" is not one of the known words`
  return message ?? 'is not valid'
}

/** Faults found by a schema, one for each pointer into the value (RFC 6901). */
export function toSchemaFaults(errors: readonly AjvSchemaError[]): ProblemFault[] {
  const faults = new Map<string, string>()
  for (const error of errors) {
    if (error.keyword === 'anyOf' || error.keyword === 'if') continue
    const missing = error.keyword === 'required' ? `/${String(error.params['missingProperty'])}` : ''
    const pointer = `${error.instancePath}${missing}`
    const known = faults.get(pointer)
    if (known === undefined && faults.size >= MAX_PROBLEM_FAULTS) faults.set(pointer, '')
    else
      faults.set(pointer, known === undefined || known === words(error) ? words(error) : `${known}, or ${words(error)}`)
  }
  if (faults.size === 0 && errors.length > 0) faults.set('', 'does not fit any of the accepted forms')
  return [...faults].map(([pointer, detail]) => ({ pointer, detail }))
}
