import { LRUCache } from 'lru-cache'

/** Caches up to `max` answers of a pure function, those used last. */
export function memoize<Key extends string | number, Answer extends {}>(
  max: number,
  make: (key: Key) => Answer,
): (key: Key) => Answer {
  const answers = new LRUCache<Key, Answer>({ max })
  return (key) => {
    let answer = answers.get(key)
    if (answer === undefined) {
      answer = make(key)
      answers.set(key, answer)
    }
    return answer
  }
}
