import { LRUCache } from 'lru-cache'

/** Caches up to `max` answers of a pure function, those used last. */
export function memoize<Key extends string | number, Answer extends {}>(
  max: number,
  make: (key: Key) => Answer,
): (key: Key) => Answer {
  const cachedAnswers = new LRUCache<Key, Answer>({ max })
  return (key) => {
    let cachedAnswer = cachedAnswers.get(key)
    if (cachedAnswer === undefined) {
      cachedAnswer = make(key)
      cachedAnswers.set(key, cachedAnswer)
    }
    return cachedAnswer
  }
}
