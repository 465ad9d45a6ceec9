import { MAX_RUN_BYTES } from '../engine/limits.ts'

/** The size of a value as JSON. */
export const jsonByteLength = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** What counts for the size of a run. */
export interface SizedRun {
  data: object
  state: object
  variables: object
  event: object | null
}

/** Whether a run holds more than it can. */
export function isRunTooLarge({ data, state, variables, event }: SizedRun): boolean {
  return (
    jsonByteLength(data) +
      jsonByteLength(state) +
      jsonByteLength(variables) +
      (event === null ? 0 : jsonByteLength(event)) >
    MAX_RUN_BYTES
  )
}
