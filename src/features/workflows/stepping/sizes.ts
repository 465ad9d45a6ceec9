import { MAX_RUN_BYTES } from '../engine/limits.ts'

/** The size of a value as JSON. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** What counts for the size of a run. */
export interface Sized {
  data: object
  state: object
  variables: object
  event: object | null
}

/** Whether a run holds more than it can. */
export function isTooLarge({ data, state, variables, event }: Sized): boolean {
  return bytesOf(data) + bytesOf(state) + bytesOf(variables) + (event === null ? 0 : bytesOf(event)) > MAX_RUN_BYTES
}
