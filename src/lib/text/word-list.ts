import { badRequestProblem } from '../errors/problem.ts'

/** Reads words of a parameter, separated by commas; undefined where none is given. Throws 400 for an unknown one. */
export function parseWordList<Word extends string>(
  parameter: string,
  text: string | undefined,
  knownWords: readonly Word[],
): Word[] | undefined {
  if (text === undefined || text.trim() === '') return undefined
  return text.split(',').map((part) => {
    const word = knownWords.find((candidate) => candidate === part.trim())
    if (word === undefined)
      throw badRequestProblem(parameter, `must be one or more of ${knownWords.join(', ')}, separated by commas`)
    return word
  })
}
