const normalizeText = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Shorter words have too many neighbours for a typing error to be forgiven. */
const MIN_FORGIVEN_LENGTH = 4

/** True if a word begins with the typed one, but for one letter that is wrong or two that are swapped. */
function isNearPrefix(word: string, typed: string): boolean {
  if (typed.length < MIN_FORGIVEN_LENGTH || word.length < typed.length) return false
  const wrong = [...typed].flatMap((letter, index) => (letter === word[index] ? [] : [index]))
  const [first = -1, second] = wrong
  if (wrong.length === 1) return true
  return wrong.length === 2 && second === first + 1 && typed[first] === word[second] && typed[second] === word[first]
}

/** True if all letters stand in the name in this order. */
function isSubsequence(name: string, typed: string): boolean {
  let index = 0
  for (const letter of name) if (letter === typed[index]) index++
  return index === typed.length
}

/** How well a name matches what was typed: 0 best; undefined: not at all. */
export function rankMatch(name: string, typed: string): number | undefined {
  const [where, what] = [normalizeText(name), normalizeText(typed.trim())]
  if (what === '') return 0
  if (where.startsWith(what)) return 0
  const words = where.split(/[^\p{L}\p{N}]+/u)
  const typedWords = what.split(/\s+/)
  if (typedWords.every((typedWord) => words.some((word) => word.startsWith(typedWord)))) return 1
  if (where.includes(what)) return 2
  if (
    typedWords.every((typedWord) => words.some((word) => word.startsWith(typedWord) || isNearPrefix(word, typedWord)))
  )
    return 3
  return what.length >= MIN_FORGIVEN_LENGTH - 1 && isSubsequence(where, what.replaceAll(' ', '')) ? 4 : undefined
}
