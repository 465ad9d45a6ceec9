import type { ErrorObject } from 'ajv'
import { singularizeAfterOne } from '../text/nouns.ts'
import { MAX_PROBLEM_FAULTS, type ProblemFault } from './problem.ts'

/** The members of an Ajv error that are used here. */
export type AjvSchemaError = Pick<ErrorObject, 'instancePath' | 'keyword' | 'message'> & {
  params: Record<string, unknown>
}

function describeFault({ keyword, params, message }: AjvSchemaError): string {
  if (keyword === 'required') return 'is required'
  if (keyword === 'enum')
    return `must be one of ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
  if (keyword === 'const') return `must be ${JSON.stringify(params['allowedValue'])}`
  if (keyword === 'discriminator') return `"${String(params['tag']).slice(0, 100)}" is not one of the allowed values`
  return singularizeAfterOne(message ?? 'is not valid')
}

/** Faults found by a schema, one for each pointer into the value (RFC 6901). */
export function toSchemaFaults(errors: readonly AjvSchemaError[]): ProblemFault[] {
  const faults = new Map<string, string>()
  for (const error of errors) {
    if (error.keyword === 'anyOf' || error.keyword === 'if') continue
    const missingMember = error.keyword === 'required' ? `/${String(error.params['missingProperty'])}` : ''
    const pointer = `${error.instancePath}${missingMember}`
    const knownDetail = faults.get(pointer)
    if (knownDetail === undefined && faults.size >= MAX_PROBLEM_FAULTS) faults.set(pointer, '')
    else
      faults.set(
        pointer,
        knownDetail === undefined || knownDetail === describeFault(error)
          ? describeFault(error)
          : `${knownDetail}, or ${describeFault(error)}`,
      )
  }
  if (faults.size === 0 && errors.length > 0) faults.set('', 'does not match any of the accepted forms')
  return [...faults].map(([pointer, detail]) => ({ pointer, detail }))
}
