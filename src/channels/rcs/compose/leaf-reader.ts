import { findRcsTextFault } from '../content/content-rules.ts'
import type { RcsTextRule } from '../content/leaves.ts'

/** Thrown for rendered content that RBM would not take. */
export class UnsendableRcsError extends Error {
  readonly pointer: string

  constructor(pointer: string, message: string) {
    super(message)
    this.pointer = pointer
  }
}

/** Reads the rendered strings of a content. */
export interface RcsRenderedTexts {
  /** Id of the message's stamp. */
  stamp: string
  /** As it was rendered, by its path. */
  raw(path: string): string
  /** The same, which must be there. Throws Unsendable where it is not as it must be. */
  read(path: string, rule: RcsTextRule): string
  /** Undefined when it is not there, or empty. */
  optional(path: string, rule: RcsTextRule): string | undefined
}

/** `parts`: rendered, by `content/` and their paths. */
export function readRcsRenderedTexts(stamp: string, parts: (name: string) => string): RcsRenderedTexts {
  const getRawText = (path: string): string => parts(`content/${path}`)

  function readText(path: string, rule: RcsTextRule): string {
    const text = getRawText(path)
    const textFault = findRcsTextFault(text, rule)
    if (textFault !== undefined) throw new UnsendableRcsError(`/content/${path}`, `The rendered text ${textFault}.`)
    return text
  }

  return {
    stamp,
    raw: getRawText,
    read: readText,
    optional(path, rule) {
      const text = readText(path, { ...rule, isRequired: undefined } as RcsTextRule)
      return text.trim() === '' ? undefined : text
    },
  }
}

/** Members that are set. */
export function pickPresentMembers<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T
}
