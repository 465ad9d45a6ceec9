/** Bytes, counts and times of a run. Sizes are of UTF-8. */
export const sandboxLimits = {
  /** Maximum heap of one runtime. */
  heapBytes: 32 * 1024 * 1024,
  /** Maximum memory of the engine's module, whatever its runtime requests. */
  moduleBytes: 64 * 1024 * 1024,
  stackBytes: 128 * 1024,
  sourceBytes: 256 * 1024,
  /** Maximum size of all imports and initializers together. */
  importsBytes: 1024 * 1024,
  inputBytes: 1024 * 1024,
  /** Maximum size of the arguments of all calls of a run. */
  callBytes: 4 * 1024 * 1024,
  resultBytes: 1024 * 1024,
  /** Maximum size of the result of one round. */
  roundBytes: 4 * 1024 * 1024,
  expressionResultBytes: 64 * 1024,
  /** Maximum size of the host's answer to a call: `http.fetch` with its headers. */
  answerBytes: 2 * 1024 * 1024,
  checkMs: 1000,
  expressionCpuMs: 100,
  logLines: 200,
  logBytes: 64 * 1024,
  jsonDepth: 100,
  hostCalls: 100,
  fetchCalls: 10,
  callsAtOnce: 4,
  messageLength: 1000,
  /** The time before the processor time of a computing worker is first read. */
  graceMs: 1000,
  /** Processor time that a worker may use beyond its limit until it answers. */
  endMs: 100,
  runsPerWorker: 1000,
  queued: 500,
  waitMs: 5000,
} as const
