/**
 * A pure function that keeps its answers, for what thousands of messages ask again and again. It keeps `most` of them:
 * before there would be one more, it forgets them all.
 */
export function remembered<Key extends string | number, Answer>(
  most: number,
  make: (key: Key) => Answer,
): (key: Key) => Answer {
  const answers = new Map<Key, Answer>()
  return (key) => {
    let answer = answers.get(key)
    if (answer === undefined) {
      answer = make(key)
      if (answers.size >= most) answers.clear()
      answers.set(key, answer)
    }
    return answer
  }
}
