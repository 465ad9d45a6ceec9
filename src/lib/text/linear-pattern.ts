import { RE2JS } from 're2js'

/** Enough for every pattern of 500 characters without counts; each takes time at each character of a text. */
const MAX_PATTERN_STEPS = 600

/** A pattern of an account or an operator, whose search takes time in proportion to the length of the text (decision 122). */
export interface LinearPattern {
  isIn(text: string): boolean
  /** The first match: its first group, or all of it when it has no group or the group took no part; undefined without a match. */
  find(text: string): string | undefined
}

/**
 * Compiles a regular expression in the syntax of RE2: that of JavaScript without lookaround and backreferences. `dotAll` and `ignoreCase`
 * are the flags `s` and `i`. Throws an Error that says what to change.
 */
export function compileLinearPattern(source: string, { ignoreCase = false, dotAll = false } = {}): LinearPattern {
  const compiledPattern = compilePattern(
    source,
    (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (dotAll ? RE2JS.DOTALL : 0),
  )
  if (compiledPattern.programSize() > MAX_PATTERN_STEPS)
    throw new Error('is too large: shorten it, or lower its counts, such as {1,100}')
  const hasGroup = compiledPattern.groupCount() > 0
  return {
    isIn: (text) => compiledPattern.matcher(text).find(),
    find(text) {
      const matcher = compiledPattern.matcher(text)
      if (!matcher.find()) return undefined
      return (hasGroup ? matcher.group(1) : null) ?? matcher.group(0) ?? undefined
    },
  }
}

function compilePattern(source: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source), flags)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace('error parsing regexp: ', '') : ''
    throw new Error(
      `must be a regular expression in RE2 syntax, without lookaround, backreferences and counts above 1,000: ${reason}`,
    )
  }
}
