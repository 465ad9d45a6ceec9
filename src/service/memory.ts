const YOUNG_GENERATION_OPTION = '--max-semi-space-size'

/**
 * Options of V8 that count for every thread. A young generation is twice 8 MiB at most, where V8 would take 32: smaller
 * ones are collected before the messages under way have left, which then stay until a full collection. It is collected by
 * its own thread, as the others have work of their own. The old generation grows by four fifths between two collections,
 * where V8 would let it grow fourfold.
 */
export const DEFAULT_MEMORY_OPTIONS: readonly string[] = [
  `${YOUNG_GENERATION_OPTION}=8`,
  '--heap-growing-percent=80',
  '--no-parallel-scavenge',
]

/** One arena of malloc for all threads: glibc would keep freed memory in one for each. */
export const DEFAULT_MEMORY_ENVIRONMENT = { MALLOC_ARENA_MAX: '1' } as const

/** The old generation grows by half: less memory for more collections. */
const SMALL_OPTIONS = [`${YOUNG_GENERATION_OPTION}=8`, '--heap-growing-percent=50']

/** True when the operator has set the options, or when the program was re-executed with them. */
function areOptionsSet(): boolean {
  return [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((option) =>
    option.includes(YOUNG_GENERATION_OPTION),
  )
}

/**
 * Re-executes the program with its process id and its streams, under limits that only a start can set: those of V8 and of malloc.
 * `STENTOR_MEMORY=small` chooses the smaller ones. Does nothing where a process cannot be replaced (Windows).
 */
export function restartWithMemoryLimits(): void {
  if (areOptionsSet() || process.platform === 'win32' || !process.execve) return
  const { execPath, execArgv, argv, env } = process
  const options = env['STENTOR_MEMORY'] === 'small' ? SMALL_OPTIONS : DEFAULT_MEMORY_OPTIONS
  process.execve(execPath, [execPath, ...execArgv, ...options, ...argv.slice(1)], {
    ...DEFAULT_MEMORY_ENVIRONMENT,
    ...env,
  })
}
