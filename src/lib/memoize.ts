/** Caches up to `max` answers of a pure function; a full cache is emptied before the next answer is added. */
export function memoize<Key extends string | number, Answer>(
  max: number,
  make: (key: Key) => Answer,
): (key: Key) => Answer {
  const answers = new Map<Key, Answer>()
  return (key) => {
    let answer = answers.get(key)
    if (answer === undefined) {
      answer = make(key)
      if (answers.size >= max) answers.clear()
      answers.set(key, answer)
    }
    return answer
  }
}
