import { MAX_RUN_BYTES } from '../engine/run-limits.ts'

/** The size of a value as JSON. */
export const jsonByteLength = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Parts of a run that count toward its size. */
export interface SizedRun {
  data: object
  state: object
  variables: object
  event: object | null
}

/** Returns true if a run exceeds its size limit. */
export function isRunTooLarge({ data, state, variables, event }: SizedRun): boolean {
  return (
    jsonByteLength(data) +
      jsonByteLength(state) +
      jsonByteLength(variables) +
      (event === null ? 0 : jsonByteLength(event)) >
    MAX_RUN_BYTES
  )
}
