import type { Text } from '../../text/catalogue.ts'
import en from './en.ts'
import { KINDS } from './model/kinds.ts'

type T = Text<typeof en>
type Key = keyof typeof en

/** What a type of node is called. */
export const typeWords = (t: T, type: string): string =>
  type in KINDS ? t(`type-${type.replaceAll(/\W/g, '-')}` as Key) : type

/** What a way out is called: the words of the interface's own, or the name somebody gave. */
export const outputWords = (t: T, label: string): string => (`out-${label}` in en ? t(`out-${label}` as Key) : label)
